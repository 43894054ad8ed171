import { cookieOf } from '../../access/headers.ts'
import { Failure } from '../../failure.ts'
import { textAfterLast } from '../../texts.ts'
import { daySeconds } from '../../units.ts'
import { sendCached } from '../answer.ts'
import { codingOf } from '../cached-text.ts'
import type { Reply } from '../reply.ts'
import { extraRoute, type RouteRequest } from '../route.ts'
import { emptyReply, pageReply } from './answers.ts'
import { assetTypes, ConsoleFiles, themes } from './console-files.ts'
import { showLandingPage } from './reference-page.ts'

const files = new ConsoleFiles()

/** Allows only the console's own scripts, styles, fonts and responses, and received images. */
const policy = [
  "default-src 'self'",
  "img-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Segments of the longest console path below `/o/{organization}`. */
const deepest = 6

/**
 * The console: one page for all its paths, and its assets. The browser resolves the paths. All data
 * come from the operations of the contract, with their guards.
 */
export const consoleRoutes = [
  extraRoute({ id: 'showConsole', method: 'GET', path: '/', answer: showConsole }),
  ...Array.from({ length: deepest + 1 }, (_, depth) => {
    const parts = Array.from({ length: depth }, (_each, at) => `/{part${at}}`).join('')
    return ['', '/'].map((end) =>
      extraRoute({
        id: 'showConsole',
        method: 'GET',
        path: `/o/{organizationId}${parts}${end}`,
        answer: showConsole,
      }),
    )
  }).flat(),
  extraRoute({
    id: 'readConsoleAsset',
    method: 'GET',
    path: '/assets/{name}',
    isServedWaiting: true,
    answer: async ({ params, headers }) => {
      const { name } = params
      const type = assetTypes[textAfterLast(name, '.')]
      const accepted = headers['accept-encoding']
      const coding = type?.startsWith('text/')
        ? codingOf(typeof accepted === 'string' ? accepted : null)
        : null
      const bytes = type ? await files.asset(name, coding) : null
      if (!type || bytes === null) throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
      return {
        status: 200,
        headers: {
          'content-type': type,
          'cache-control': `public, max-age=${365 * daySeconds}, immutable`,
          vary: 'accept-encoding',
          ...(coding === null ? {} : { 'content-encoding': coding }),
        },
        body: bytes,
      }
    },
  }),
]

async function showConsole(request: RouteRequest): Promise<Reply> {
  const chosen = cookieOf(request.headers, 'theme')
  const page = await files.page(themes.find((one) => one === chosen) ?? null)
  if (page === null)
    return request.url.startsWith('/o/') ? emptyReply(302, { location: '/' }) : showLandingPage()
  const form = await page.formFor(request.headers)
  const { headers } = pageReply(form.body, {
    type: 'text/html; charset=utf-8',
    policy,
    'cache-control': 'no-cache',
  })
  return sendCached(request, headers, form)
}
