import type { MarketEvent } from '@liquidity-os/engine/replay'
import type { Address } from 'viem'
import type { ChainClient } from './client.ts'
import type { Header } from './header.ts'
import { type IndexCursor, indexLogs, type LogRange, type Reorganization } from './index-logs.ts'
import type { LogDigest } from './log-digest.ts'
import { decodeLogs, type IndexedEvent, type LoggedKind } from './logs.ts'
import { withOrigins } from './origins.ts'

export type { IndexCursor } from './index-logs.ts'

export type IndexRequest = LogRange & {
  readonly kind: LoggedKind
  readonly address: Address
}

/** One chunk of events, or a reorganization notice for blocks already read. */
export type IndexStep =
  | {
      readonly outcome: 'EVENTS'
      readonly fromBlock: number
      readonly to: Header
      readonly events: readonly IndexedEvent<MarketEvent>[]
      /** Digest of all logs of the chunk, for comparison with another provider. */
      readonly logs: LogDigest
      readonly cursor: IndexCursor
    }
  | Reorganization

/**
 * Reads every event of a market over a range of finalized blocks. Works chunk by chunk; see
 * `indexLogs`.
 *
 * @throws ChainError if the provider fails, or rejects even a single block
 */
export async function* indexEvents(
  client: ChainClient,
  request: IndexRequest,
): AsyncGenerator<IndexStep, void> {
  for await (const step of indexLogs(client, request, request)) {
    if (step.outcome === 'REORGED') {
      yield step
      return
    }
    const { fromBlock, to, logs, digest, timestamps, cursor } = step
    const events = await withOrigins(client, decodeLogs(request.kind, logs, timestamps))
    yield { outcome: 'EVENTS', fromBlock, to, events, logs: digest, cursor }
  }
}
