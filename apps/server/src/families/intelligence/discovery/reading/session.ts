import { isDeepStrictEqual } from 'node:util'
import type { Block, contract } from '@liquidity-os/contract'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { CallRevertedError, ChainError } from '../../../../integrations/chain/chain-error.ts'
import { type ChainClient, chainClient } from '../../../../integrations/chain/client.ts'
import { type Pin, pinBlock } from '../../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../../integrations/chain/header.ts'
import { limits } from '../../../../limits.ts'
import type { Outbound } from '../../../../outbound.ts'
import { type Fact, factOf, type Origin } from '../facts.ts'
import type { PublicChain } from './registry.ts'
import { fetchInLine, type Trouble, type UpstreamLine } from './upstream.ts'

/** Maximum share of the total time for one request, in sixteenths. */
const requestSixteenths = 5

/** The nodes of a chain for one response. */
export interface OpenChain {
  readonly chain: PublicChain
  readonly clients: readonly ChainClient[]
  readonly trouble: Trouble
  /** Aborts at the response deadline. */
  readonly signal: AbortSignal
}

/** Opens the nodes of a chain without sending a request. */
export function openChain(
  chain: PublicChain,
  {
    outbound,
    line,
    milliseconds,
  }: { outbound: Outbound; line: UpstreamLine; milliseconds: number },
): OpenChain {
  const signal = AbortSignal.timeout(milliseconds)
  const trouble: Trouble = { isBusy: false }
  const timeoutMilliseconds = Math.ceil((milliseconds * requestSixteenths) / 16)
  const send = fetchInLine(outbound, line, { timeoutMilliseconds, trouble, signal })
  const clients = chain.endpoints.map((endpoint) =>
    chainClient({
      endpoint,
      chainId: chain.chainId,
      fetch: send,
      timeoutMs: milliseconds,
      batchSize: limits.publicUpstreamBatch,
      // A visitor gets a partial result instead of waiting for a node.
      maximumWaitMs: 0,
      signal,
    }),
  )
  return { chain, clients, trouble, signal }
}

type GapCode = contract.PublicGap['code']
interface Missing {
  readonly code: GapCode
  /** True if the contract itself returned no data, so no provider is at fault. */
  readonly isOfContract?: true
  readonly detail: string
}

/** The common answer of all nodes, or the reason for its absence. */
export type ReadResult<Value> =
  | { readonly value: Value; readonly missing: null }
  | { readonly value: null; readonly missing: Missing }

/** One block of a chain, read through all its nodes; gaps are collected on the way. */
export class Session {
  readonly chain: PublicChain
  readonly block: Block
  readonly origin: Origin
  readonly #head: Header
  readonly #open: OpenChain
  readonly #pins: readonly Pin[]
  readonly #gaps: contract.PublicGap[] = []

  private constructor(open: OpenChain, head: Header, pins: readonly Pin[]) {
    this.chain = open.chain
    this.block = blockOf(open.chain.chainId, head)
    this.#head = head
    this.#open = open
    this.#pins = pins
    this.origin = {
      kind: 'CHAIN',
      provider: open.chain.endpoints.map((endpoint) => new URL(endpoint).hostname).join(', '),
      block: this.block,
      at: this.block.timestamp,
    }
  }

  /** @throws ChainError if a node cannot serve reads at the block */
  static async at(open: OpenChain, head: Header): Promise<Session> {
    return new Session(
      open,
      head,
      await Promise.all(open.clients.map((client) => pinBlock(client, head))),
    )
  }

  get providers(): number {
    return this.#open.clients.length
  }

  get gaps(): readonly contract.PublicGap[] {
    return this.#gaps
  }

  /**
   * Sends the same request to every node.
   *
   * @param read returns null if the contract does not respond
   */
  async ask<Value>(
    read: (client: ChainClient, pin: Pin) => Promise<Value | null>,
  ): Promise<ReadResult<Value>> {
    const answers = await Promise.all(
      // There is one pin per client.
      this.#open.clients.map((client, index) => this.#one(() => read(client, this.#pins[index]!))),
    )
    const [first, ...others] = answers
    if (first === undefined) throw new Error('a chain requires at least one provider')
    const silent = answers.find((one) => one.missing !== null && !one.missing.isOfContract)
    if (silent) return silent
    const isRefused = answers.every((one) => one.missing !== null)
    if (isRefused || others.every((other) => isDeepStrictEqual(other, first))) return first
    return missing('PROVIDERS_DISAGREE', 'Two providers of the chain returned different data.')
  }

  async #one<Value>(read: () => Promise<Value | null>): Promise<ReadResult<Value>> {
    try {
      const value = await read()
      return value === null
        ? ofContract('The contract returned no value, or a value that cannot be shown.')
        : { value, missing: null }
    } catch (error) {
      if (error instanceof CallRevertedError) {
        return ofContract('The contract reverted the call.')
      }
      if (!(error instanceof ChainError)) throw error
      const isLate = this.#open.signal.aborted || error.facts.reason === 'TIMEOUT'
      return isLate
        ? missing('DEADLINE', 'No response arrived in time.')
        : missing('CALL_FAILED', 'The provider did not respond.')
    }
  }

  /** Converts a node answer to a figure. A missing value becomes a gap at `pointer`. */
  fact<Value>(pointer: string, method: string, result: ReadResult<Value>): Fact<Value> {
    if (result.missing) this.note(result.missing, pointer)
    return factOf(this.origin, method, result.value)
  }

  note({ code, detail }: Missing, pointer: string): void {
    this.#gaps.push({ code, pointer, detail })
  }

  /**
   * Binds nodes that support block numbers only to the hash that was read.
   *
   * @throws ChainError REORGED
   */
  async confirm(): Promise<void> {
    await Promise.all(
      this.#open.clients.map(async (client, index) => {
        if (this.#pins[index]?.form === 'HASH') return
        const again = await readHeader(client, this.#head.number)
        if (again.hash === this.#head.hash) return
        const facts = { reason: 'CANONICAL_HASH_CHANGED', blockNumber: this.#head.number } as const
        throw new ChainError({ code: 'LIQUIDITY_CHAIN_REORGED', ...facts })
      }),
    )
  }
}

export const missing = (code: GapCode, detail: string): ReadResult<never> => ({
  value: null,
  missing: { code, detail },
})

const ofContract = (detail: string): ReadResult<never> => ({
  value: null,
  missing: { code: 'CALL_FAILED', detail, isOfContract: true },
})

/** Maps the value of an answer, if present. */
export const from = <Value, Result>(
  result: ReadResult<Value>,
  derive: (value: Value) => Result,
): ReadResult<Result> =>
  result.missing ? result : { value: derive(result.value as Value), missing: null }
