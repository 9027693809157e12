"""The process of the local AWS server: patches moto, tells its port, serves until its input ends."""

from __future__ import annotations

import http.client
import json
import logging
import os
import sys
import threading
from typing import Any
from urllib.parse import quote, urlsplit

import boto3
from moto.awslambda.models import LambdaFunction
from moto.core.config import default_user_config
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from moto.ses.models import ses_backends
from moto.stepfunctions.parser.asl.utils import boto_client
from werkzeug.serving import make_server

from webordinary_local_aws.key_values import KeyValueStores
from webordinary_local_aws.moto_patches.caching import cache_what_never_changes
from webordinary_local_aws.moto_patches.every import apply
from webordinary_local_aws.moto_patches.patch import patch_method

_LONGEST_CALL = 900.0
LETTERS = "/local/letters"


def main(lambda_url: str, *without: str) -> None:
    apply(without)
    cache_what_never_changes()
    _run_state_machines()
    _call_functions_at(lambda_url)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    application = KeyValueStores(_with_letters(DomainDispatcherApplication(create_backend_app)))
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=MotoRequestHandler)
    # moto's parts find each other by this.
    os.environ["MOTO_PORT"] = str(server.server_port)
    _keep_clients(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=_end_with_our_starter, daemon=True).start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


def _with_letters(application: Any) -> Any:  # noqa: ANN401 - WSGI has no types
    """Show the mails that SES has sent, which no call of Amazon's tells."""

    def serve(environ: Any, start_response: Any) -> Any:  # noqa: ANN401 - the same
        if environ.get("PATH_INFO") != LETTERS:
            return application(environ, start_response)
        offices = [office for regions in ses_backends.values() for office in regions.values()]
        sent = [message for office in offices for message in office.sent_messages]
        told = [{"to": message.destinations, "raw": message.raw_data} for message in sent]
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps(told).encode()]

    return serve


def _end_with_our_starter() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def _run_state_machines() -> None:
    """Have definitions interpreted; without this every execution succeeds at once and nothing is called."""
    default_user_config["stepfunctions"] = {"execute_state_machine": True}


def _call_functions_at(lambda_url: str) -> None:
    """Send each call to our host; moto would start a container for it."""
    address = urlsplit(lambda_url).netloc
    # Without Docker even a look at the server's own state would fail.
    LambdaFunction.docker_client = None

    @patch_method(LambdaFunction, "invoke")
    def _(_: object, self: Any, body: str | bytes, asked: Any, answered: Any) -> bytes:  # noqa: ANN401 - moto's insides
        connection = http.client.HTTPConnection(address, timeout=_LONGEST_CALL)
        kind = asked.get("X-Amz-Invocation-Type") or asked.get("x-amz-invocation-type") or "RequestResponse"
        path = f"/2015-03-31/functions/{quote(self.function_name)}/invocations"
        try:
            connection.request("POST", path, body or b"{}", {"X-Amz-Invocation-Type": kind})
            answer = connection.getresponse()
            words = answer.read()
        except OSError as problem:
            answered["x-amz-function-error"] = "Unhandled"
            return json.dumps({"errorType": "LambdaHostGone", "errorMessage": str(problem)}).encode()
        finally:
            connection.close()
        if answer.status >= http.client.BAD_REQUEST or answer.getheader("X-Amz-Function-Error"):
            answered["x-amz-function-error"] = "Unhandled"
        return words


def _keep_clients(endpoint: str) -> None:
    """Make one client for each kind; the interpreter made one for each task, slowly and not safely in threads.

    AWS_ENDPOINT_URL_SQS and its like may send one kind of call elsewhere.
    """
    kept: dict[tuple[str, str], Any] = {}
    making = threading.Lock()

    class Boto3:
        @staticmethod
        def client(**wanted: Any) -> Any:  # noqa: ANN401 - as boto3 itself
            name, region = wanted["service_name"], wanted["region_name"]
            with making:
                if (name, region) not in kept:
                    elsewhere = os.environ.get(f"AWS_ENDPOINT_URL_{name.upper().replace('-', '_')}", endpoint)
                    kept[name, region] = boto3.client(**{**wanted, "endpoint_url": elsewhere})
                return kept[name, region]

    boto_client.boto3 = Boto3


if __name__ == "__main__":
    main(*sys.argv[1:])
