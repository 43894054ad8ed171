import { readFile } from 'node:fs/promises'
import { contract } from '@liquidity-os/contract'
import { H, parseStrict } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { compileSchema } from '../../../../http/validators.ts'
import type { FinalityRule } from '../../../../integrations/chain/finalized.ts'
import { uniswapFactories } from '../../../../integrations/chain/known-factories.ts'
import { limits } from '../../../../limits.ts'
import type { Services } from '../../../../services.ts'
import defaults from './chain-defaults.json' with { type: 'json' }

export interface Factory {
  readonly kind: contract.PublicPool['kind']
  readonly address: Address
  /** For a v3 factory; empty for v2. */
  readonly feesPips: readonly number[]
}

/** A chain open to public callers. */
export interface PublicChain {
  readonly chainId: number
  /** Node URLs, which can contain API keys. Only their hosts are public. */
  readonly endpoints: readonly string[]
  readonly finality: FinalityRule
  /** Quote assets to try; the first is the reference. */
  readonly quotes: readonly [Address, ...Address[]]
  readonly factories: readonly Factory[]
  readonly explorer: string | null
  /** Hash of the settings that determine which pools are found. */
  readonly registryHash: string
}

type Declared = contract.PublicChainsFile['chains'][number]
type Known = Pick<Declared, 'referenceQuote' | 'quotes' | 'factories' | 'explorer'>

/** The usual fees of Uniswap v3. */
const usualFeesPips = [100, 500, 3_000, 10_000]
const wellKnown = defaults as unknown as Readonly<Record<string, Known>>
const read = new WeakMap<object, Promise<ReadonlyMap<number, PublicChain>>>()

/** Chains in PUBLIC_CHAINS, read once per process. Empty after an error, which is logged. */
export function publicChains(
  services: Pick<Services, 'config' | 'log'>,
): Promise<ReadonlyMap<number, PublicChain>> {
  const known = read.get(services) ?? readChains(services)
  read.set(services, known)
  return known
}

async function readChains({
  config,
  log,
}: Pick<Services, 'config' | 'log'>): Promise<ReadonlyMap<number, PublicChain>> {
  const path = config.publicChainsFile
  if (path === null) return new Map()
  try {
    const bytes = await readFile(path)
    return chainsOf(bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      { variable: 'PUBLIC_CHAINS', reason },
      'The file is ignored. Public requests cannot read any chain.',
    )
    return new Map()
  }
}

/**
 * Chains declared in a file, with defaults for omitted settings.
 *
 * @throws Error that describes the error in the file
 */
export function chainsOf(bytes: Uint8Array): ReadonlyMap<number, PublicChain> {
  if (bytes.length > limits.publicChainsFileBytes) {
    throw new Error(`The file must have at most ${limits.publicChainsFileBytes} bytes.`)
  }
  const content = parseStrict(bytes)
  const faults = compileSchema(contract.PublicChainsFile)(content)
  if (faults) throw new Error(JSON.stringify(faults))
  // The validator checked it against the schema.
  const { chains } = content as contract.PublicChainsFile
  const found = new Map(chains.map((chain) => [chain.chainId, chainOf(chain)]))
  if (found.size < chains.length) throw new Error('Each chainId must be unique.')
  return found
}

function chainOf(declared: Declared): PublicChain {
  const { chainId, endpoints, finalityBlocks } = declared
  const known: Known = { ...wellKnown[String(chainId)], ...declared }
  const { referenceQuote } = known
  const factories: Known['factories'] = known.factories ?? uniswapFactories(chainId)
  if (referenceQuote === undefined || factories === undefined) {
    throw new Error(`Chain ${chainId} has no defaults. Set referenceQuote and factories.`)
  }
  const further = (known.quotes ?? []).filter((quote) => quote !== referenceQuote)
  const quotes = [referenceQuote, ...further] as unknown as readonly [Address, ...Address[]]
  const searched = factories.map(({ kind, address, feesPips }): Factory => {
    const fees = kind === 'UNISWAP_V3' ? (feesPips ?? usualFeesPips) : []
    return { kind, address: address as Address, feesPips: fees }
  })
  const finality = finalityBlocks ?? 'finalized'
  return {
    chainId,
    endpoints,
    finality,
    quotes,
    factories: searched,
    explorer: known.explorer?.replace(/\/+$/, '') ?? null,
    registryHash: H('public-registry/v1', { chainId, quotes, factories: searched, finality }),
  }
}
