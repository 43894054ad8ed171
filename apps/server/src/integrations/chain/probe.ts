import type { Hex } from 'viem'
import { limits } from '../../limits.ts'
import { ChainError, type ChainErrorReason } from './chain-error.ts'
import { type Check, checkEqual } from './check.ts'
import { ask, type ChainClient } from './client.ts'
import { type FinalityRule, pinBlock, readFinalizedHead } from './finalized.ts'

export type ProviderEvidence = {
  readonly checks: readonly Check[]
  /**
   * By name: clientVersion, chainId, capabilities, proofs, simulateV1, finalizedBlock, finalizedHash,
   * finalizedAt, headerHash, stateDepthBlocks, logDepthBlocks.
   */
  readonly facts: Readonly<Record<string, string>>
  /** Optional capabilities: EIP_1898, ARCHIVE, FINALIZED_TAG. */
  readonly capabilities: readonly string[]
}

export type ProviderExpectation = { readonly chainId: number; readonly finality: FinalityRule }

const noAccount = '0x0000000000000000000000000000000000000000'

/**
 * Probes a provider: its chain, its finalized block and its historical state.
 *
 * Chain ID and a finalized block are required. EIP-1898, archive state and the finalized tag are
 * optional capabilities.
 *
 * @throws ChainError if the provider does not respond
 */
export async function probeProvider(
  client: ChainClient,
  expected: ProviderExpectation,
): Promise<ProviderEvidence> {
  const chainId = Number(await ask<Hex>(client, 'eth_chainId', []))
  const clientVersion = await ability(() => ask<string>(client, 'web3_clientVersion', []))
  const hasTag = (await ability(() => readFinalizedHead(client, 'finalized'))) !== null
  const isObtainable = hasTag || expected.finality !== 'finalized'
  const head = isObtainable
    ? await ability(() => readFinalizedHead(client, expected.finality))
    : null
  const pin = head && (await ability(() => pinBlock(client, head)))
  const stateDepth = head && (await depthOf(head.number, (block) => hasState(client, block)))
  const logDepth = head && (await depthOf(head.number, (block) => hasLogs(client, block)))
  const early = await hasState(client, firstBlock)
  const proofs = await serves(client, 'eth_getProof', [noAccount, [], 'latest'])
  const simulation = await serves(client, 'eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest'])
  const capabilities = [
    ...(hasTag ? ['FINALIZED_TAG'] : []),
    ...(pin?.form === 'HASH' ? ['EIP_1898'] : []),
    ...(early ? ['ARCHIVE'] : []),
  ]
  const finalized: Check = {
    code: 'FINALIZED_BLOCK',
    ok: head !== null,
    expected: `rule ${expected.finality}`,
    observed: head ? `${head.number} ${head.hash}` : `NOT_OBTAINABLE${depthHint(expected)}`,
  }
  return {
    checks: [checkEqual('CHAIN_ID', expected.chainId, chainId), finalized],
    facts: {
      chainId: String(chainId),
      clientVersion: printable(clientVersion),
      capabilities: capabilities.join(' '),
      proofs: proofs ? 'SERVED' : 'NOT_SERVED',
      simulateV1: simulation ? 'SERVED' : 'NOT_SERVED',
      ...(head && {
        finalizedBlock: String(head.number),
        finalizedHash: head.hash,
        finalizedAt: new Date(head.timestamp * 1000).toISOString(),
        headerHash: head.isHashVerified ? 'RECOMPUTED' : 'AS_STATED',
        ...(stateDepth !== null && { stateDepthBlocks: `${stateDepth}` }),
        ...(logDepth !== null && { logDepthBlocks: `${logDepth}` }),
      }),
    },
    capabilities,
  }
}

/** The first block with a parent: a pruning node no longer has its state. */
const firstBlock = 1
/** Blocks below the final one at which a node is tried, before the first block. */
const triedDepths = [127, 10_000, 1_000_000] as const

const blockNumber = (block: number): Hex => `0x${block.toString(16)}`

/** Depth of the oldest tried block that the node serves; null if it serves none. */
async function depthOf(
  final: number,
  isServed: (block: number) => Promise<boolean>,
): Promise<number | null> {
  const blocks = triedDepths.map((depth) => final - depth).filter((block) => block > firstBlock)
  let deepest: number | null = null
  for (const block of [...blocks, firstBlock]) {
    if (block > final || !(await isServed(block))) break
    deepest = final - block
  }
  return deepest
}

async function hasState(client: ChainClient, block: number): Promise<boolean> {
  const params = [noAccount, blockNumber(block)]
  return (await ability(() => ask<Hex>(client, 'eth_getBalance', params))) !== null
}

/** True if the node has a response for the logs of one block. */
export async function hasLogs(client: ChainClient, block: number): Promise<boolean> {
  const at = blockNumber(block)
  const filter = { address: noAccount, fromBlock: at, toBlock: at }
  return (await ability(() => ask<unknown>(client, 'eth_getLogs', [filter]))) !== null
}

/** Proposed confirmations by chain, if the node has no finalized blocks. */
const confirmations: Readonly<Record<number, number>> = { 56: 15, 137: 256 }
const otherConfirmations = 64

function depthHint({ chainId, finality }: ProviderExpectation): string {
  if (finality !== 'finalized') return ''
  const depth = confirmations[chainId] ?? otherConfirmations
  return `: the node has no finalized blocks; set configuration.finality to ${depth}`
}

/** True if the provider has a usable response to an optional method. */
async function serves(
  client: ChainClient,
  method: string,
  params: readonly unknown[],
): Promise<boolean> {
  try {
    await ask(client, method, params)
    return true
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (waitReasons.has(error.facts.reason)) throw error
    return false
  }
}

const waitReasons: ReadonlySet<ChainErrorReason> = new Set([
  ...(['RATE_LIMITED', 'QUOTA_EXHAUSTED', 'TIMEOUT', 'NETWORK'] as const),
])

/** The response, or null if the provider rejects this request. */
async function ability<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await question()
  } catch (error) {
    const isRefusal =
      error instanceof ChainError &&
      ['REQUEST_REFUSED', 'RANGE_REFUSED', 'UNKNOWN_BLOCK', 'STATE_PRUNED'].includes(
        error.facts.reason,
      )
    if (isRefusal) return null
    throw error
  }
}

/**
 * The only provider text that is stored, because it names the software; shortened to printable
 * ASCII.
 */
function printable(version: string | null): string {
  if (typeof version !== 'string') return 'UNKNOWN'
  return version.replace(/[^\x20-\x7e]/g, '').slice(0, limits.providerVersionCharacters)
}
