import { basePath, type OperationOutline, operations } from '@liquidity-os/contract/outline'
import { type Paper, paperWidths, screenPaper, usualPaper } from '@liquidity-os/drawing'
import { Failure } from '../failure.ts'
import type { Bound } from '../http/bound.ts'
import type { Outcome } from '../http/handler.ts'
import { incomingOf } from '../http/incoming.ts'
import type { Reply } from '../http/reply.ts'
import { extraRoute, type RouteRequest } from '../http/route.ts'
import type { ServedPicture } from './draw-task.ts'
import type { PictureFamily, Pictures } from './picture-family.ts'

interface Params {
  readonly family: string
  readonly id: string
  readonly file?: string
}

/** A chart request; the width is unvalidated. */
interface ChartParams extends Params {
  readonly width: unknown
}

/** Content security policy of charts: no scripts, style sheets or external resources. */
const picturePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'"

/**
 * Chart routes outside the contract. Each uses the guards of the operation that reads its subject,
 * so credential, scope, budget and organization are checked in one place.
 */
export const pictureRoutes = (load: () => Promise<Pictures>) => [
  extraRoute({
    id: 'listPictures',
    method: 'GET',
    path: `${basePath}/pictures/{family}/{id}`,
    answer: async (request) => serve(request, await load(), request.params),
  }),
  extraRoute({
    id: 'getPicture',
    method: 'GET',
    path: `${basePath}/pictures/{family}/{id}/{file}`,
    answer: async (request) => serve(request, await load(), request.params),
  }),
]

async function serve(request: RouteRequest, pictures: Pictures, params: Params): Promise<Reply> {
  const { family: name, id, file } = params
  const family = (await pictures.get(name)?.())?.pictures
  if (!family || (file !== undefined && !file.endsWith('.svg'))) {
    throw new Failure('LIQUIDITY_ROUTE_NOT_FOUND')
  }
  const operation = operationOf(family)
  const requested = name === 'market-map' ? pairOf(id) : null
  const incoming = incomingOf(operation, {
    ...request,
    params: requested ? {} : { [recordParameterOf(operation)]: id },
  })
  const { width, ...query } = incoming.query
  return request.pipeline.serve(boundTo(operation, family, { ...params, width }), {
    ...incoming,
    query: { ...query, ...requested },
  })
}

/**
 * Paper for the requested width; the report width by default.
 *
 * @throws Failure 400
 */
function paperOf(width: unknown): Paper {
  if (width === undefined) return usualPaper
  const { least, most } = paperWidths
  const requestedValue =
    typeof width === 'string' && /^[1-9]\d{0,5}$/.test(width) ? Number(width) : Number.NaN
  if (requestedValue >= least && requestedValue <= most) return screenPaper(requestedValue)
  const message = `must be a whole number from ${least} to ${most}, got ${JSON.stringify(width).slice(0, 60)}`
  throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { 'query.width': [message] } })
}

function operationOf({ operationId }: PictureFamily): OperationOutline {
  const operation = operations.find(({ id }) => id === operationId)
  if (!operation) throw new Error(`Operation ${operationId} does not exist.`)
  return operation
}

/** Name of the record ID parameter: the first parameter in the path. */
function recordParameterOf({ path }: OperationOutline): string {
  return /\{(\w+)\}/.exec(path)?.[1] ?? 'id'
}

/** A pair is named as `chainId-base-quote`. */
function pairOf(id: string): Record<string, string> {
  const [, chainId, base, quote] =
    /^(\d{1,16})-(0x[0-9a-fA-F]{40})-(0x[0-9a-fA-F]{40})$/.exec(id) ?? []
  if (!chainId || !base || !quote) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return { chainId, base, quote }
}

function boundTo(operation: OperationOutline, family: PictureFamily, params: ChartParams): Bound {
  const { id, file, width } = params
  return {
    operation,
    readsRecordOf: null,
    validators: () =>
      import('../http/validators.ts').then(({ validatorsOf }) => validatorsOf(operation.id)),
    handler: async () => ({
      operation,
      run: async ({ query, actor, records, services }) => {
        const paper = paperOf(width)
        const request = query as Readonly<Record<string, unknown>>
        const subject = await family.read({ id, query: request, actor, records, services })
        const [{ drawInThread }, { symbolsFor }] = await Promise.all([
          import('./draw-in-thread.ts'),
          import('./subject-symbols.ts'),
        ])
        const symbols = await symbolsFor(records, subject)
        const named = symbols ? { ...paper, symbols } : paper
        const pictures = await drawInThread(services.reporting, family, subject, named)
        return file === undefined ? listed(pictures, params, request) : shown(pictures, file)
      },
    }),
  }
}

function listed(
  pictures: readonly ServedPicture[],
  { family, id, width }: ChartParams,
  { sizesQuote }: Readonly<Record<string, unknown>>,
): Outcome {
  const parameters = Object.entries({ sizesQuote, width }).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${value}`] : [],
  )
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : ''
  return {
    data: pictures.map(({ name, title, description, hash, columns, rows }) => ({
      name,
      title,
      description,
      hash,
      href: `${basePath}/pictures/${family}/${id}/${name}.svg${query}`,
      table: { columns, rows },
    })),
    headers: { 'cache-control': 'private, no-cache' },
  }
}

function shown(pictures: readonly ServedPicture[], file: string): Outcome {
  const picture = pictures.find(({ name }) => `${name}.svg` === file)
  if (!picture) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return {
    text: picture.svg,
    etag: picture.hash,
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': picturePolicy,
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    },
  }
}
