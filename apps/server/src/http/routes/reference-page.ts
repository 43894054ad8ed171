import { basePath } from '@liquidity-os/contract/outline'
import { daySeconds } from '../../units.ts'
import { sendCached } from '../answer.ts'
import type { Reply } from '../reply.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import { pageReply } from './answers.ts'
import { loadViewer } from './reference-viewer.ts'

const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
// Only the script in the viewer's page can start it.
const viewerPolicy = `${policy}; script-src 'self' 'unsafe-inline'`

/**
 * API reference page. Loads no external resources: the viewer is a package, the document is from
 * this service.
 */
export const referenceRoutes = [
  extraRoute({
    id: 'readIcon',
    method: 'GET',
    path: '/favicon.ico',
    answer: () => ({
      status: 200,
      headers: {
        'content-type': 'image/svg+xml',
        'cache-control': `public, max-age=${daySeconds}`,
      },
      body: icon,
    }),
  }),
  extraRoute({
    id: 'showReference',
    method: 'GET',
    path: '/docs/api/',
    answer: (request) => ofViewer(request, 'page', 'text/html; charset=utf-8'),
  }),
  extraRoute({
    id: 'readReferenceScript',
    method: 'GET',
    path: '/docs/api/js/scalar.js',
    answer: (request) => ofViewer(request, 'script', 'application/javascript; charset=utf-8'),
  }),
]

export const showLandingPage = (): Reply =>
  pageReply(landingHtml, { type: 'text/html; charset=utf-8', policy })

async function ofViewer(
  request: RouteRequest,
  part: 'page' | 'script',
  type: string,
): Promise<Reply> {
  // It shares the rate limit of all requests without credentials.
  request.pipeline.admitPublic({ path: '/docs/api/' }, request)
  const text = (await loadViewer())[part]
  const form = await text.formFor(request.headers)
  const terms = { type, policy: viewerPolicy, 'cache-control': 'public, max-age=600' }
  return sendCached(request, pageReply(form.body, terms).headers, form)
}

const landingHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Liquidity OS</title>
<style>
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: light-dark(#f4f6f8, #10151b); color: light-dark(#14202b, #e8edf2); }
main { width: min(36rem, 90vw); }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
a { color: light-dark(#0b5cad, #7db8f5); }
:focus-visible { outline: 3px solid #f2a33a; outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>Liquidity OS</h1>
<p>Plan, simulate, operate, analyze and prove the liquidity of a token. The service executes no
transactions. Only the owners of the issuer’s Safe can.</p>
<ul>
<li>The console is not built: <code>npm run build</code></li>
<li><a href="/docs/">Guide</a> and <a href="/docs/api/">API reference</a></li>
<li><a href="/auth/sign-in">Sign in</a></li>
<li><a href="${basePath}/status">State of this service</a></li>
</ul>
</main>
</body>
</html>
`

/** Logo: two curves that meet, the depth on both sides of a price. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M4 26V9c6 0 9 6 12 14 3-8 6-14 12-14v17z" fill="#fff"/></svg>`
