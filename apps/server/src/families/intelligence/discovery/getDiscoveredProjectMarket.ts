import { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { handle } from '../../../http/handler.ts'
import type { ReportedMarket, ReportedPool } from '../../../integrations/market-data/dialect.ts'
import { usdAtoms } from '../../../integrations/market-data/usd.ts'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import { catalogue } from './catalogue/catalogue.ts'
import { findDiscovered } from './discovered-tokens.ts'
import { factOf, inOrder, type Origin } from './facts.ts'
import { type MarketSource, marketSources } from './reading/market-sources.ts'

/** A token and the origin of its texts. */
interface Named {
  readonly assetKey: string
  readonly chainId: number
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number | null
  readonly origin: Origin
  readonly method: string
}

type Usd = contract.MarketDiscoveryEvidence['facts']['liquidityUsd']

/** The market of a token at one provider. */
interface Report {
  readonly source: MarketSource
  readonly origin: Origin
  readonly market: ReportedMarket
}

/** Two providers disagree if one reports more than this multiple of the other. */
const disagreement = 2n

export default handle(
  contract.getDiscoveredProjectMarket,
  async ({ params: { id }, services, now, fail }) => {
    const token = namedInCatalogue(id) ?? (await namedByProvider(services, id))
    if (token === null) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const sources = marketSources(services)
    const { reports, failures, responded } = await readReports(sources, token)
    const gaps = [...failures]
    const figure = (
      pointer: '/facts/volume24hUsd' | '/facts/liquidityUsd',
      read: (report: Report) => Usd,
    ): Usd => {
      const known = reports.map(read).filter(({ value }) => value !== null)
      const [first] = known
      if (first === undefined) {
        gaps.push(lacking(pointer, sources, responded))
        return factOf<string>(absent(now), 'none', null)
      }
      if (disagree(known.map(({ value }) => BigInt(value ?? 0)))) {
        const detail = `The providers report figures more than ${disagreement} times apart. All are in reports.`
        gaps.push({ code: 'PROVIDERS_DISAGREE', pointer, detail })
      }
      return first
    }
    const volume24hUsd = figure('/facts/volume24hUsd', volumeOf)
    const liquidityUsd = figure('/facts/liquidityUsd', liquidityOf)
    const listing = reports.find(({ market }) => market.pools.length > 0)
    if (listing === undefined) gaps.push(lacking('/pools', sources, responded))
    else if (listing.market.hasMorePools || listing.market.pools.length > limits.publicPools) {
      const detail = `${listing.source.host} can list more pools. Shown are the largest of one page of its list.`
      gaps.push({ code: 'TRUNCATED', pointer: '/pools', detail })
    }
    const evidence: Omit<contract.MarketDiscoveryEvidence, 'evidenceHash'> = {
      id,
      assetKey: token.assetKey,
      facts: {
        name: factOf(token.origin, token.method, token.name),
        symbol: factOf(token.origin, token.method, token.symbol),
        decimals: factOf(token.origin, token.method, token.decimals),
        volume24hUsd,
        liquidityUsd,
      },
      reports: reports.map((report) => ({
        host: report.source.host,
        dialect: report.source.name,
        volume24hUsd: volumeOf(report),
        liquidityUsd: liquidityOf(report),
      })),
      pools: listing ? poolsOf(listing, token.chainId) : [],
      gaps: inOrder([
        ...gaps,
        ...(token.decimals === null ? [withoutDecimals(token.origin.provider)] : []),
      ]),
    }
    return { data: { ...evidence, evidenceHash: H('market-evidence/v1', evidence) } }
  },
)

function namedInCatalogue(id: number): Named | null {
  const { byId, source, version, at } = catalogue()
  const token = byId.get(id)
  if (!token) return null
  const origin: Origin = { kind: 'CATALOGUE', provider: source, block: null, at }
  return { ...token, origin, method: `${token.assetKey} of ${version}` }
}

async function namedByProvider(
  services: Parameters<typeof findDiscovered>[0],
  id: number,
): Promise<Named | null> {
  const token = await findDiscovered(services, id)
  return token && { ...token, origin: reportedAt(token.source, token.at), method: 'search' }
}

const reportedAt = (provider: string, at: number): Origin => ({
  kind: 'MARKET_DATA',
  provider,
  block: null,
  at: new Date(at).toISOString(),
})

const absent = (now: number): Origin => reportedAt('none', now)

async function readReports(
  sources: readonly MarketSource[],
  { chainId, address }: Named,
): Promise<{ reports: Report[]; failures: contract.PublicGap[]; responded: string[] }> {
  const answers = await Promise.all(
    sources.map(async (source) => ({ source, answer: await source.readMarket(chainId, address) })),
  )
  return {
    reports: answers.flatMap(({ source, answer }) => {
      const market = answer.value?.market ?? null
      if (market === null || answer.at === null) return []
      return [{ source, origin: reportedAt(source.host, answer.at), market }]
    }),
    failures: answers.flatMap(({ answer }) =>
      answer.gap ? [{ ...answer.gap, pointer: '/reports' }] : [],
    ),
    responded: answers.flatMap(({ source, answer }) => (answer.gap ? [] : [source.host])),
  }
}

const volumeOf = ({ source, origin, market }: Report): Usd =>
  factOf(origin, source.methods.volume, atomsOf(market.volume24hUsd))

const liquidityOf = ({ source, origin, market }: Report): Usd =>
  factOf(origin, source.methods.liquidity, atomsOf(market.liquidityUsd))

const atomsOf = (usd: string | null): string | null => (usd === null ? null : `${usdAtoms(usd)}`)

function disagree(values: readonly bigint[]): boolean {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [least = 0n, most = 0n] = [sorted[0], sorted.at(-1)]
  return most > disagreement * least
}

const poolsOf = ({ source, origin, market }: Report, chainId: number) =>
  market.pools
    .slice(0, limits.publicPools)
    .map(({ address, dex, quote, liquidityUsd }: ReportedPool) => ({
      address,
      dex,
      quoteAssetKey: quote && assetKeyOf({ chainId }, quote),
      liquidityUsd: factOf(origin, source.methods.pool, atomsOf(liquidityUsd)),
    }))

function lacking(
  pointer: string,
  sources: readonly MarketSource[],
  responded: readonly string[],
): contract.PublicGap {
  if (sources.length === 0) {
    const detail = 'This deployment has no market data provider.'
    return { code: 'NO_PROVIDER', pointer, detail }
  }
  const detail =
    responded.length === 0
      ? 'No market data provider responded.'
      : `${responded.join(' and ')} reported no such figure of the token.`
  return { code: responded.length === 0 ? 'CALL_FAILED' : 'NO_PROVIDER', pointer, detail }
}

const withoutDecimals = (provider: string): contract.PublicGap => ({
  code: 'NO_PROVIDER',
  pointer: '/facts/decimals',
  detail: `${provider} does not state the decimals of a token.`,
})
