import { Failure } from '../../../failure.ts'
import { sendCached } from '../../answer.ts'
import { CachedText } from '../../cached-text.ts'
import type { Reply } from '../../reply.ts'
import { extraRoute, type RouteRequest } from '../../route.ts'
import { emptyReply, pageReply } from '../answers.ts'
import { Guide, type GuideFile } from './guide.ts'
import { guideStyle } from './style.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const guide = new Guide()
const style: GuideFile = { type: 'text/css; charset=utf-8', text: new CachedText(guideStyle) }
const maxCharacters = 200

/**
 * Serves `docs` in a browser, with full-text search. Needs no scripts and loads no external
 * resources.
 */
export const guideRoutes = [
  extraRoute({
    id: 'findGuide',
    method: 'GET',
    // Without the slash, so that the page's own addresses lie below it.
    path: '/docs',
    answer: () => emptyReply(302, { location: '/docs/' }),
  }),
  extraRoute({
    id: 'showGuide',
    method: 'GET',
    path: '/docs/',
    answer: (request) => show(request, ''),
  }),
  extraRoute({
    id: 'readGuideStyle',
    method: 'GET',
    path: '/docs/guide.css',
    answer: (request) => sent(request, style),
  }),
  extraRoute({ id: 'searchGuide', method: 'GET', path: '/docs/search', answer: search }),
  extraRoute({
    id: 'showGuide',
    method: 'GET',
    path: '/docs/{page}',
    answer: (request) => show(request, request.params.page),
  }),
  extraRoute({
    id: 'showGuide',
    method: 'GET',
    path: '/docs/{folder}/',
    answer: (request) => show(request, `${request.params.folder}/`),
  }),
  extraRoute({
    id: 'showGuide',
    method: 'GET',
    path: '/docs/{folder}/{page}',
    answer: ({ params, ...request }) =>
      show({ params, ...request }, `${params.folder}/${params.page}`),
  }),
  extraRoute({
    id: 'showGuide',
    method: 'GET',
    path: '/docs/{folder}/{inner}/{page}',
    answer: ({ params, ...request }) =>
      show({ params, ...request }, `${params.folder}/${params.inner}/${params.page}`),
  }),
]

async function show(request: RouteRequest, path: string): Promise<Reply> {
  // A page counts toward the limits for unauthenticated clients. Its images do not count
  // separately.
  if (!/\.(svg|png)$/.test(path)) request.pipeline.admitPublic({ path: '/docs/' }, request)
  const file = await guide.file(path)
  if (file === null) throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
  return sent(request, file)
}

async function sent(request: RouteRequest, { type, text }: GuideFile): Promise<Reply> {
  const form = await text.formFor(request.headers)
  const terms = { type, policy, 'cache-control': 'public, max-age=600' }
  return sendCached(request, pageReply(form.body, terms).headers, form)
}

async function search(request: RouteRequest): Promise<Reply> {
  request.pipeline.admitPublic({ path: '/docs/' }, request)
  const { q = '' } = request.query
  if (typeof q !== 'string' || q.length > maxCharacters) {
    const messages = [`must be one string of at most ${maxCharacters} characters`]
    throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { q: messages } })
  }
  const html = await guide.search(q.trim())
  return pageReply(html, {
    type: 'text/html; charset=utf-8',
    policy,
    'cache-control': 'no-store',
  })
}
