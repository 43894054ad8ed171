import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Behavior = 'HONEST' | 'RATE_LIMITED' | 'FORBIDDEN' | 'HTML' | 'DOUBLED_KEYS'

/** A server of the shapes of a market data API, which lists one token on Base. */
export interface MarketDataServer {
  readonly url: string
  readonly requests: string[]
  behavior: Behavior
  figures: { liquidity: string; volume: string }
  stop(): Promise<void>
}

const token = '0x1111111111111111111111111111111111111111'
const quote = '0x4200000000000000000000000000000000000006'
const pool = '0x2222222222222222222222222222222222222222'
const name = 'Moonbase'
const symbol = 'MOONB'

type Figures = MarketDataServer['figures']

/** @see https://api.geckoterminal.com/docs */
function geckoAnswer(path: string, { liquidity, volume }: Figures): unknown {
  const relationships = {
    base_token: { data: { id: `base_${token}`, type: 'token' } },
    quote_token: { data: { id: `base_${quote}`, type: 'token' } },
    dex: { data: { id: 'aerodrome-base', type: 'dex' } },
  }
  const attributes = { address: pool, name: 'MOONB / WETH', reserve_in_usd: liquidity }
  const pools = [{ id: `base_${pool}`, type: 'pool', attributes, relationships }]
  const words = { address: token, name, symbol, decimals: 9 }
  if (path === '/search/pools') {
    const included = [{ id: `base_${token}`, type: 'token', attributes: words }]
    return { data: pools, included }
  }
  if (path === `/networks/base/tokens/${token}/pools`) return { data: pools }
  if (path === `/networks/base/tokens/${token}`) {
    const figures = { total_reserve_in_usd: liquidity, volume_usd: { h24: volume } }
    return { data: { id: `base_${token}`, type: 'token', attributes: { ...words, ...figures } } }
  }
  return null
}

/** @see https://docs.dexscreener.com/api/reference */
function screenerAnswer(path: string, { liquidity, volume }: Figures): unknown {
  const pair = {
    chainId: 'base',
    dexId: 'aerodrome',
    pairAddress: pool,
    baseToken: { address: token, name, symbol },
    quoteToken: { address: quote, name: 'Wrapped Ether', symbol: 'WETH' },
    volume: { h24: Number(volume) },
    liquidity: { usd: Number(liquidity), base: 1, quote: 2 },
  }
  if (path === '/latest/dex/search') return { schemaVersion: '1.0.0', pairs: [pair] }
  return path === `/token-pairs/v1/base/${token}` ? [pair] : null
}

export async function startMarketDataServer(
  dialect: 'GECKOTERMINAL' | 'DEXSCREENER',
): Promise<MarketDataServer> {
  const server = createServer((request, response) => {
    running.requests.push(request.url ?? '/')
    const answer = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body)
    }
    if (running.behavior === 'RATE_LIMITED') {
      response.setHeader('retry-after', '90')
      return answer(429, '{"status":{"error_code":429}}')
    }
    if (running.behavior === 'FORBIDDEN') return answer(403, 'region')
    if (running.behavior === 'HTML') return answer(200, '<!doctype html><title>Wait</title>')
    if (running.behavior === 'DOUBLED_KEYS') return answer(200, '{"pairs":[],"pairs":[]}')
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    const read = dialect === 'GECKOTERMINAL' ? geckoAnswer : screenerAnswer
    const content = read(pathname, running.figures)
    if (content === null) return answer(404, '{}')
    answer(200, JSON.stringify(content))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const running: MarketDataServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    behavior: 'HONEST',
    figures:
      dialect === 'GECKOTERMINAL'
        ? { liquidity: '2000.5', volume: '100' }
        : { liquidity: '1500', volume: '90' },
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections()
        server.close(() => stopped())
      }),
  }
  return running
}
