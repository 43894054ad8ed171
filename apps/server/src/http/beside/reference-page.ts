import { basePath } from '@liquidity-os/contract/outline'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * The reference of the API as a page, without anything from elsewhere: the viewer comes from its package,
 * the document from this service. The package is large and is loaded with the first visitor, into an
 * instance of its own that never listens.
 */
export function referencePage(app: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | null = null
  const answer = async (url: string, reply: FastifyReply) => {
    viewer ??= openViewer()
    const page = await (await viewer).inject({ method: 'GET', url })
    return reply
      .code(page.statusCode)
      .header('content-type', page.headers['content-type'] ?? 'text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=600')
      .header('content-security-policy', viewerPolicy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(page.rawPayload)
  }
  // Without the slash, so that the page's own addresses lie below it.
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  app.get('/docs/*', (request, reply) => answer(request.url, reply))
  app.get('/favicon.ico', (_request, reply) =>
    reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(icon),
  )
  app.get('/', (_request, reply) => html(reply, landingHtml))
}

async function openViewer(): Promise<FastifyInstance> {
  const [{ default: Fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const viewer = Fastify()
  await viewer.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: `${basePath}/openapi.json`,
      pageTitle: 'Liquidity OS API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  })
  await viewer.ready()
  return viewer
}

const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
// The viewer starts itself by a script in its page; it alone may.
const viewerPolicy = `${policy}; script-src 'self' 'unsafe-inline'`

function html(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(text)
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
<p>Plan, simulate, operate, analyse and prove the liquidity of a token. Nothing here executes a
transaction: authority stays with the multi-signature safe of the issuer.</p>
<ul>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/auth/sign-in">Sign in</a></li>
<li><a href="${basePath}/status">State of this service</a></li>
</ul>
</main>
</body>
</html>
`

/** Two curves that meet: depth on both sides of a price. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5cad"/><path d="M4 26V9c6 0 9 6 12 14 3-8 6-14 12-14v17z" fill="#fff"/></svg>`
