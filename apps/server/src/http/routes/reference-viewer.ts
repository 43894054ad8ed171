import { basePath } from '@liquidity-os/contract/outline'
import { CachedText, once } from '../cached-text.ts'

export interface Viewer {
  page: CachedText
  script: CachedText
}

/** Loaded with the first visitor: the package is large. */
export const loadViewer: () => Promise<Viewer> = once(readViewer)

/** The part of a framework reply that the package uses. */
class Written {
  body = ''
  header(): this {
    return this
  }
  send(text: string): void {
    this.body = text
  }
}

interface Declared {
  url: string
  handler: (request: { url: string; protocol: string; hostname: string }, reply: Written) => void
}

/**
 * The package ships its page and script in a Fastify plugin that declares two routes. A stub
 * collects them, and each handler runs once for its text.
 */
async function readViewer(): Promise<Viewer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const declared: Declared[] = []
  const list = { route: (route: Declared) => declared.push(route) }
  const options = {
    routePrefix: '/docs/api',
    configuration: {
      url: `${basePath}/openapi.json`,
      pageTitle: 'Liquidity OS API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  } as const
  // The list is the part of the framework that the plugin uses.
  plugin(list as never, options, () => {})
  const textOf = (url: string): CachedText => {
    const route = declared.find((one) => one.url === url)
    if (!route) throw new Error(`The viewer has no content at ${url}.`)
    const reply = new Written()
    route.handler({ url, protocol: 'http', hostname: 'localhost' }, reply)
    return new CachedText(reply.body)
  }
  return { page: textOf('/docs/api/'), script: textOf('/docs/api/js/scalar.js') }
}
