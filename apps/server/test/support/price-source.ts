import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PriceSource {
  readonly url: string
  /** Every request that came. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
  /** Response; a number is a bare status. */
  answer: (url: URL, request: IncomingMessage) => string | number
  readonly stop: () => Promise<void>
}

export async function startPriceSource(): Promise<PriceSource> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://source.test')
    source.requests.push({ path: url.pathname, authorization: request.headers.authorization })
    const answer = source.answer(url, request)
    if (typeof answer === 'number') response.writeHead(answer, { location: 'http://127.0.0.1:1/' })
    response.end(typeof answer === 'number' ? '' : answer)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const source: PriceSource = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    answer: () => 404,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return source
}

/**
 * Candles in ccxt format, as an exchange has them at a time.
 *
 * @param closeAt close of the candle that starts at the given second, as text; null without trades
 */
export function candlesOf(
  query: URLSearchParams,
  { grid, now, closeAt }: { grid: number; now: number; closeAt: (openAt: number) => string | null },
): string {
  const since = Math.ceil(Number(query.get('since')) / 1000 / grid) * grid
  const rows: string[] = []
  for (let at = since; at <= now && rows.length < Number(query.get('limit')); at += grid) {
    const close = closeAt(at)
    if (close !== null) rows.push(`[${at * 1000},${close},${close},${close},${close},1.5]`)
  }
  return `[${rows.join(',')}]`
}
