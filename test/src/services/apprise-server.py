"""The stateless call of an Apprise API server, over the library itself: POST /notify, and nothing else.

Prints its port. Answers as that server does: 200 all delivered, 204 no URL that the library knows, 400 bad input,
424 at least one not delivered.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

import apprise


class BadInput(Exception):
    pass


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.path == "/status" else 404, None)

    def do_POST(self):
        if self.path.rstrip("/") != "/notify":
            return self.answer(404, "Not found")
        try:
            content = self.content()
            body, kind, text_format = self.checked(content)
        except BadInput as reason:
            return self.answer(400, str(reason))
        service = apprise.Apprise(asset=apprise.AppriseAsset(body_format=text_format))
        service.add(content.get("urls"))
        if len(service) == 0:
            return self.answer(204, None)
        with apprise.LogCapture(level=30, fmt="%(levelname)s\t%(asctime)s\t%(message)s") as log:
            delivered = service.notify(body, title=content.get("title") or "", notify_type=kind)
        details = [line.split("\t", 2) for line in log.getvalue().splitlines() if line]
        if delivered:
            return self.answer(200, None, details)
        return self.answer(424, "One or more notifications could not be sent", details)

    def content(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("utf-8")
        if "json" not in (self.headers.get("content-type") or ""):
            return dict(parse_qsl(raw))
        try:
            content = json.loads(raw)
        except ValueError:
            raise BadInput("Invalid JSON Payload provided") from None
        if not isinstance(content, dict):
            raise BadInput("Invalid JSON Payload provided")
        return content

    def checked(self, content):
        body = content.get("body")
        kind = content.get("type") or "info"
        text_format = content.get("format") or "text"
        if not body or kind not in apprise.NOTIFY_TYPES:
            raise BadInput("Payload lacks minimum requirements")
        if text_format not in apprise.NOTIFY_FORMATS:
            raise BadInput("An invalid body input format was specified")
        return body, kind, text_format

    def answer(self, status, error, details=None):
        self.send_response(status)
        if status == 204:
            return self.end_headers()
        raw = json.dumps({"error": error, "details": details or []}).encode("utf-8")
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
