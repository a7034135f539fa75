/** Content that depends on the base path: `/holdfast`, or an empty text for the root. */
type Placed = (base: string) => string;

const page =
  (title: string, head: Placed, body: Placed): Placed =>
  (base) =>
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${base}/api/docs/assets/favicon-32x32.png">
${head(base)}
</head>
<body>
${body(base)}
</body>
</html>
`;

/** Interactive documentation: Swagger UI. */
export const docsPage = page(
  'Holdfast: try the interface',
  (base) => `<link rel="stylesheet" href="${base}/api/docs/assets/swagger-ui.css">`,
  (base) => `<div id="swagger-ui"></div>
<script src="${base}/api/docs/assets/swagger-ui-bundle.js"></script>
<script src="${base}/api/docs/assets/start-swagger-ui.js"></script>`,
);

/** Reference documentation: Redoc. */
export const redocPage = page(
  'Holdfast: reference',
  (base) => `<link rel="stylesheet" href="${base}/api/docs/assets/page.css">`,
  (base) => `<div id="redoc"></div>
<script src="${base}/api/docs/assets/redoc.standalone.js"></script>
<script src="${base}/api/docs/assets/start-redoc.js"></script>`,
);

/** Small assets of the documentation pages. Their content security policy forbids inline scripts. */
export const ownAssets: Record<string, Placed> = {
  'page.css': () => 'body { margin: 0; }\n',
  'start-swagger-ui.js': (base) => `window.ui = SwaggerUIBundle({
  url: '${base}/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`,
  'start-redoc.js': (base) => `const place = document.getElementById('redoc');
Redoc.init('${base}/api/openapi.json', { nativeScrollbars: true }, place);
`,
};

/**
 * Everything comes from this service; the search index of the reference page runs in a worker made from a
 * blob.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "child-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
