from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw

from tests.pictures import (
    BLUE,
    GREEN,
    RED,
    TRACES,
    YELLOW,
    corners,
    huge_png,
    moving,
    opened,
    photo,
    saved,
    wide_profile,
)
from webordinary.jobs.job import FileKind, FileProblem
from webordinary.media.limits import MediaLimits
from webordinary.media.treat import Treated, treat

LIMITS = MediaLimits()
KINDS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF")


def look_at(content: bytes, *, limits: MediaLimits = LIMITS, in_signature: bool = False) -> Treated:
    return treat(content, "photo.jpg", "image/jpeg", limits, in_signature=in_signature)


def is_like(one: object, other: tuple[int, int, int]) -> bool:
    assert isinstance(one, tuple)
    return all(abs(mine - theirs) < 40 for mine, theirs in zip(one[:3], other, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_a_photo_that_was_held_sideways_stands_upright_in_every_version(kind: str) -> None:
    treated = look_at(photo(kind, orientation=6))
    assert treated.fate == FileKind.PHOTO
    for each in treated.photos:
        image = opened(each.content).convert("RGB")
        assert image.size == (each.width, each.height) == (60, 80)
        assert is_like(image.getpixel((50, 10)), RED)
        assert is_like(image.getpixel((50, 70)), GREEN)
        assert is_like(image.getpixel((10, 10)), BLUE)
        assert is_like(image.getpixel((10, 70)), YELLOW)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_tells_where_when_and_by_whom_a_photo_was_taken(kind: str) -> None:
    original = photo(kind)
    assert opened(original).getexif().get_ifd(0x8825), "the photo had a place"
    for each in look_at(original).photos:
        image = opened(each.content)
        assert dict(image.getexif()) == {}
        assert not image.info.keys() & {"exif", "xmp", "XML:com.adobe.xmp", "comment", "Comment", "icc_profile"}
        assert [trace for trace in TRACES if trace in each.content] == []


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "HEIF"])
def test_a_large_photo_becomes_as_large_as_a_page_needs(kind: str) -> None:
    treated = look_at(saved(corners(2000, 1000), kind))
    assert [(each.content_type, each.width, each.height) for each in treated.photos] == [
        ("image/avif", 800, 400),
        ("image/avif", 1600, 800),
        ("image/jpeg", 800, 400),
        ("image/jpeg", 1600, 800),
    ]


def test_a_small_photo_is_never_made_larger() -> None:
    assert {(each.width, each.height) for each in look_at(saved(corners(80, 60), "JPEG")).photos} == {(80, 60)}


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "AVIF", "HEIF", "GIF"])
def test_what_can_be_seen_through_stays_so(kind: str) -> None:
    image = corners().convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size).point(lambda value: 255 if value > 127 else 0))
    treated = look_at(saved(image, kind))
    assert [each.content_type for each in treated.photos] == ["image/avif", "image/png"]
    for each in treated.photos:
        shown = opened(each.content).convert("RGBA").getchannel("A")
        assert shown.getpixel((40, 2)) == 0
        assert shown.getpixel((40, 57)) == 255


def test_a_picture_that_only_could_be_seen_through_is_a_jpeg() -> None:
    image = Image.effect_noise((80, 60), 90).convert("RGBA")
    assert [each.content_type for each in look_at(saved(image, "PNG")).photos] == ["image/avif", "image/jpeg"]


def test_a_drawing_with_few_colours_keeps_its_sharp_edges() -> None:
    plain = look_at(saved(corners(), "PNG")).photos[-1]
    assert plain.content_type == "image/png"
    assert opened(plain.content).convert("RGB").getpixel((39, 29)) == RED


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_colours_are_brought_to_those_of_the_web(kind: str) -> None:
    treated = look_at(saved(corners(), kind, icc_profile=wide_profile()))
    image = opened(treated.photos[-1].content).convert("RGB")
    assert is_like(image.getpixel((10, 10)), (30, 200, 30))


def test_a_broken_colour_profile_does_not_spoil_the_photo() -> None:
    treated = look_at(saved(corners(), "JPEG", icc_profile=b"nonsense" * 40))
    assert is_like(opened(treated.photos[-1].content).getpixel((10, 10)), RED)


def test_nonsense_in_the_camera_data_does_not_spoil_the_photo() -> None:
    treated = look_at(saved(corners(), "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff\xff\xff" + b"\x01" * 40))
    assert treated.fate == FileKind.PHOTO


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "CMYK", "I;16", "RGBA"])
def test_every_kind_of_pixel_becomes_a_picture(mode: str) -> None:
    deep = Image.frombytes("I;16", (80, 60), b"\x00\xc8" * 4800)
    image = deep if mode == "I;16" else corners().convert(mode)
    treated = look_at(saved(image, "JPEG" if mode == "CMYK" else "PNG"))
    assert treated.fate == FileKind.PHOTO
    shown = opened(treated.photos[-1].content).convert("RGB").getpixel((10, 10))
    if mode == "I;16":
        assert is_like(shown, (200, 200, 200))
    elif mode in {"CMYK", "RGBA", "P"}:
        assert is_like(shown, RED)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "AVIF"])
def test_what_moves_goes_on_moving_without_its_comments(kind: str) -> None:
    treated = look_at(moving(kind))
    assert treated.content_type == {"PNG": "image/png"}.get(kind, f"image/{kind.lower()}")
    (only,) = treated.photos
    assert only.content_type == "image/webp"
    assert [trace for trace in TRACES if trace in only.content] == []
    image = Image.open(io.BytesIO(only.content))
    assert getattr(image, "n_frames", 1) == 4


def test_an_animation_is_made_smaller_too() -> None:
    (only,) = look_at(moving(size=(1000, 500), frames=3)).photos
    assert (only.width, only.height) == (800, 400)


def test_an_animation_without_end_is_refused() -> None:
    treated = look_at(moving(frames=9), limits=replace(LIMITS, frames=8))
    assert (treated.fate, treated.problem, treated.limit) == (FileKind.REFUSED, FileProblem.TOO_MANY_FRAMES, "8")
    large = look_at(moving(size=(400, 300)), limits=replace(LIMITS, animation_pixels=300_000))
    assert large.problem == FileProblem.TOO_MANY_FRAMES


def test_a_bomb_is_refused_by_its_size_before_anything_is_decoded() -> None:
    treated = look_at(huge_png())
    assert (treated.fate, treated.problem) == (FileKind.REFUSED, FileProblem.TOO_MANY_PIXELS)
    assert treated.limit == "64 MP"


@pytest.mark.parametrize("kind", [*KINDS, "GIF"])
def test_one_pixel_more_than_allowed_is_refused_in_every_format(kind: str) -> None:
    content = saved(corners(), kind)
    pixels = 9600 if kind == "WEBP" else 4800
    assert look_at(content, limits=replace(LIMITS, pixels=pixels)).fate == FileKind.PHOTO
    assert look_at(content, limits=replace(LIMITS, pixels=pixels - 1)).problem == FileProblem.TOO_MANY_PIXELS


@pytest.mark.parametrize("kind", [{"lossless": True}, {"lossless": False}, {"exif": b"Exif\x00\x00"}])
def test_the_size_of_every_kind_of_webp_is_read_before_it_is_opened(kind: dict[str, object]) -> None:
    content = saved(corners(), "WEBP", **kind)
    assert look_at(content, limits=replace(LIMITS, pixels=9599)).problem == FileProblem.TOO_MANY_PIXELS


@pytest.mark.parametrize("kind", KINDS)
def test_half_a_photo_is_refused(kind: str) -> None:
    content = saved(Image.effect_noise((300, 200), 90).convert("RGB"), kind)
    treated = look_at(content[: len(content) // 2])
    assert (treated.fate, treated.problem, treated.photos) == (FileKind.REFUSED, FileProblem.UNREADABLE, ())


def test_a_photo_with_a_second_one_inside_is_one_photo() -> None:
    file = io.BytesIO()
    corners().save(file, "MPO", save_all=True, append_images=[corners(40, 30)])
    assert [each.content_type for each in look_at(file.getvalue()).photos] == ["image/avif", "image/jpeg"]


def test_a_tracking_pixel_is_skipped_wherever_it_stands() -> None:
    assert look_at(saved(Image.new("RGB", (1, 1)), "GIF")).fate == FileKind.SKIPPED
    assert look_at(saved(Image.new("RGB", (600, 1)), "PNG")).fate == FileKind.SKIPPED


def test_only_a_small_picture_of_a_signature_is_skipped() -> None:
    logo = saved(corners(180, 60), "PNG")
    assert look_at(logo, in_signature=True).fate == FileKind.SKIPPED
    assert look_at(logo, in_signature=False).fate == FileKind.PHOTO
    assert look_at(saved(corners(640, 480), "JPEG"), in_signature=True).fate == FileKind.PHOTO


def test_a_photo_keeps_its_look_when_it_is_made_smaller() -> None:
    image = Image.new("RGB", (3200, 1600), YELLOW)
    ImageDraw.Draw(image).rectangle((1600, 0, 3200, 1600), fill=BLUE)
    shown = opened(look_at(saved(image, "JPEG")).photos[-1].content)
    assert is_like(shown.getpixel((100, 400)), YELLOW)
    assert is_like(shown.getpixel((1500, 400)), BLUE)
