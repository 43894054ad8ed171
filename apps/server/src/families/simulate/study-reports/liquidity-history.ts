/** Liquidity of an observed v3 pool by tick, with its changes. */
export interface LiquidityHistory {
  /** Net liquidity by tick before the first change. */
  readonly start: ReadonlyMap<number, bigint>
  /** In order; negative liquidity was removed. */
  readonly changes: readonly {
    readonly timestamp: number
    readonly tickLower: number
    readonly tickUpper: number
    readonly liquidity: bigint
  }[]
}

interface StoredMarket {
  readonly kind?: string
  readonly ticks?: readonly { readonly index: number; readonly liquidityNet: string }[]
}

interface StoredEvent {
  readonly type?: string
  readonly timestamp?: number | null
  readonly tickLower?: number
  readonly tickUpper?: number
  readonly liquidity?: string
}

const decoder = new TextDecoder()

/**
 * Reads the history from the sealed bytes of observations.
 *
 * @param start market before the first event, as JSON
 * @param events one JSON object per line, in order
 * @returns null for a market without ticks
 */
export function liquidityHistory(
  start: Uint8Array,
  events: readonly Uint8Array[],
): LiquidityHistory | null {
  // The service sealed these and has verified their hash.
  const market = JSON.parse(decoder.decode(start)) as StoredMarket
  if (market.kind !== 'UNISWAP_V3' || market.ticks === undefined) return null
  const changes: LiquidityHistory['changes'][number][] = []
  for (const part of events) {
    for (const line of decoder.decode(part).split('\n')) {
      if (!line.includes('"Mint"') && !line.includes('"Burn"')) continue
      const change = changeOf(JSON.parse(line) as StoredEvent)
      if (change !== null) changes.push(change)
    }
  }
  const net = market.ticks.map(({ index, liquidityNet }) => [index, BigInt(liquidityNet)] as const)
  return { start: new Map(net), changes }
}

function changeOf(event: StoredEvent): LiquidityHistory['changes'][number] | null {
  const { type, timestamp, tickLower, tickUpper, liquidity } = event
  if (type !== 'Mint' && type !== 'Burn') return null
  if (typeof timestamp !== 'number' || tickLower === undefined || tickUpper === undefined)
    return null
  const amount = BigInt(liquidity ?? 0)
  return { timestamp, tickLower, tickUpper, liquidity: type === 'Mint' ? amount : -amount }
}

/**
 * Liquidity at given ticks at given moments.
 *
 * @param moments seconds since 1970, ascending
 * @param ticks   ascending
 * @returns for each moment the liquidity at each tick
 */
export function liquidityAt(
  { start, changes }: LiquidityHistory,
  moments: readonly number[],
  ticks: readonly number[],
): bigint[][] {
  const net = new Map(start)
  let next = 0
  return moments.map((moment) => {
    for (; next < changes.length; next += 1) {
      const change = changes[next]
      if (change === undefined || change.timestamp > moment) break
      add(net, change.tickLower, change.liquidity)
      add(net, change.tickUpper, -change.liquidity)
    }
    return sumsAt(net, ticks)
  })
}

function add(net: Map<number, bigint>, tick: number, liquidity: bigint): void {
  net.set(tick, (net.get(tick) ?? 0n) + liquidity)
}

function sumsAt(net: ReadonlyMap<number, bigint>, ticks: readonly number[]): bigint[] {
  const edges = [...net].sort(([a], [b]) => a - b)
  let [sum, itemIndex] = [0n, 0]
  return ticks.map((tick) => {
    for (; itemIndex < edges.length; itemIndex += 1) {
      const edge = edges[itemIndex]
      if (edge === undefined || edge[0] > tick) break
      sum += edge[1]
    }
    return sum
  })
}
