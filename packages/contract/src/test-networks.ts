import networks from './generated/test-networks.json' with { type: 'json' }

const names: Readonly<Record<string, string>> = networks
/** Chains that run on one machine. */
const localChains: ReadonlySet<number> = new Set([1337, 31_337])

/** Mark of records whose evidence is on a local or test chain. */
export const simulatedMark = 'SIMULATED'

/** True for a local chain or public test network, whose coins have no value. */
export const isTestNetwork = (chainId: number): boolean => Object.hasOwn(names, chainId)

const chainPattern = /"chainId":"?(\d+)|\beip155:(\d+)[/:]|"pair":"(\d+)\|/g

/**
 * Local and test chains that a record names, ascending, in a `chainId` member or a pair, asset or
 * account key.
 *
 * @param json text of the record as stored or sent
 */
export function testNetworksIn(json: string): number[] {
  const found = new Set<number>()
  for (const [, plain, keyed, ofPair] of json.matchAll(chainPattern)) {
    const chainId = Number(plain ?? keyed ?? ofPair)
    if (isTestNetwork(chainId)) found.add(chainId)
  }
  return [...found].sort((a, b) => a - b)
}

/** The value of the header `Evidence-Mark` of a text that names a local or test chain; null if it names none. */
export function evidenceMark(json: string): string | null {
  const chainIds = testNetworksIn(json)
  return chainIds.length === 0 ? null : `${simulatedMark};chains="${chainIds.join(' ')}"`
}

/** That a market is simulated: the mark, and where its evidence lies. */
export interface SimulatedMarket {
  readonly mark: typeof simulatedMark
  readonly words: string
}

/** The mark with its words, as pages, papers, pictures and tables show it. */
export const simulatedText = ({ mark, words }: SimulatedMarket): string => `${mark} · ${words}`

/** Mark and text for a record of these chains; null if no chain is a test network. */
export function simulatedMarketOf(chainIds: readonly number[]): SimulatedMarket | null {
  const found = new Set(chainIds.filter(isTestNetwork).map(networkWords))
  if (found.size === 0) return null
  const listed = [...found].join(', ')
  const words = `${listed.charAt(0).toUpperCase()}${listed.slice(1)}: simulated market`
  return { mark: simulatedMark, words }
}

const networkWords = (chainId: number): string =>
  localChains.has(chainId) ? 'local test chain' : `test network ${names[chainId]}`

/** The same without the network name, for readers who may not know the venue. */
export const unnamedSimulatedMarket: SimulatedMarket = {
  mark: simulatedMark,
  words: 'Local or test chain: simulated market',
}
