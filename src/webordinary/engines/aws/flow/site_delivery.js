// Site delivery: a CloudFront Function (runtime cloudfront-js-2.0) for viewer-request and viewer-response.
//
// The key-value store leads from the first label of a host under the domain to a release in the bucket; a host of
// somebody's own is `=label`. The engine writes it after the pointer in S3, and this function only reads it: every
// answer is from one release, and a new release needs no invalidation, because the cache knows pages by the name of their
// folder. A preview has no key: THREAD--PROJECT says where it lies. A site without a key lies where its name says.
//
// That runtime knows no destructuring, no spread and no for-of, and lets nothing be awaited inside an argument.
import cf from 'cloudfront';

const places = cf.kvs();
const LONGEST_PATH = 2000;
const DOMAIN = '.${domain}';
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const PREVIEW = /^_previews\/|\/shown\//;

async function handler(event) {
    const place = await placeOf(event.request);
    if (event.context.eventType === 'viewer-response') {
        return dressed(event.response, place);
    }
    return place === null ? missing('There is no such site here.') : led(event.request, place);
}

// Hosts are compared as the store has them: in lower case, without a port and without the dot of a full name.
async function placeOf(request) {
    const host = request.headers.host ? request.headers.host.value : '';
    const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
    let label = name.endsWith(DOMAIN) ? name.slice(0, -DOMAIN.length) : '';
    let found = label === '' ? null : await valueOf(label);
    if (found === null) {
        // Somebody's own host, or one that an earlier version wrote whole, with its place.
        const other = await valueOf(name);
        if (other !== null && other.charAt(0) === '=') {
            label = other.slice(1);
            found = await valueOf(label);
        } else {
            found = other;
        }
    }
    if (found !== null) {
        return found.charAt(found.length - 1) === '/' ? found : label + '/files/' + found + '/';
    }
    return LABEL.test(label) ? withoutKey(label) : null;
}

async function valueOf(key) {
    try {
        const value = await places.get(key);
        return value;
    } catch (unknown) {
        return null;
    }
}

function withoutKey(label) {
    const cut = label.indexOf('--');
    return cut === -1 ? '_overflow/' + label + '/' : '_previews/' + label.slice(cut + 2) + '/' + label.slice(0, cut) + '/';
}

function led(request, place) {
    const names = namesIn(request.uri);
    if (names === null) {
        return missing('There is no such page.');
    }
    const last = names[names.length - 1];
    if (last !== '' && isFolder(names)) {
        return moved('/' + names.join('/') + '/' + questionOf(request.querystring));
    }
    if (last === '') {
        names[names.length - 1] = 'index.html';
    }
    // S3 takes a plus for a space.
    request.uri = '/' + place + names.join('/').replace(/\+/g, '%2B');
    return request;
}

// Empty names are left out: a Location that begins with two slashes would lead to another site.
function namesIn(uri) {
    if (uri.length > LONGEST_PATH) {
        return null;
    }
    const all = uri.split('/');
    const names = all.filter((name, index) => name !== '' || index === all.length - 1);
    return names.some(isMischief) ? null : names;
}

function isMischief(name) {
    let plain;
    try {
        plain = decodeURIComponent(name);
    } catch (broken) {
        return true;
    }
    return plain === '.' || plain === '..' || /[\/\\\0]/.test(plain);
}

// Nobody can ask the bucket here what is a folder. A name without a dot is one, except where programs look for files.
function isFolder(names) {
    return names[0] !== '.well-known' && names[names.length - 1].indexOf('.') === -1;
}

function questionOf(querystring) {
    const asked = [];
    Object.keys(querystring).forEach((name) => {
        const values = querystring[name].multiValue || [querystring[name]];
        values.forEach((each) => asked.push(each.value === '' ? name : name + '=' + each.value));
    });
    return asked.length ? '?' + asked.join('&') : '';
}

// Not for good: the next release may have a file of that name.
function moved(location) {
    return {
        statusCode: 302,
        statusDescription: 'Found',
        headers: { location: { value: location }, 'cache-control': { value: 'no-cache' } },
    };
}

function missing(words) {
    return {
        statusCode: 404,
        statusDescription: 'Not Found',
        headers: {
            'content-type': { value: 'text/html; charset=utf-8' },
            'cache-control': { value: 'no-cache' },
            'x-content-type-options': { value: 'nosniff' },
            'x-robots-tag': { value: 'noindex' },
        },
        body: { encoding: 'text', data: '<!doctype html><meta charset=utf-8><title>Not found</title><p>' + words + '\n' },
    };
}

function dressed(response, place) {
    const headers = response.headers;
    // Browsers ask each time whether they have the newest page; the cache between them and S3 answers that.
    headers['cache-control'] = { value: 'no-cache' };
    headers['x-content-type-options'] = { value: 'nosniff' };
    if (place === null || PREVIEW.test(place)) {
        // A preview's name is its only secret: neither search engines nor linked sites may learn it.
        headers['x-robots-tag'] = { value: 'noindex' };
        headers['referrer-policy'] = { value: 'same-origin' };
    }
    return response;
}
