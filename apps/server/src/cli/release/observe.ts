import type { Address } from 'viem'
import { chainClient } from '../../integrations/chain/client.ts'
import {
  agreeOnAnswer,
  agreeOnFinalizedHead,
  type FinalityRule,
  readAtBlock,
} from '../../integrations/chain/finalized.ts'
import { codeAt } from '../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../keccak256.ts'

/** Code of a contract at a finalized block, as several nodes report it. */
export interface Observation {
  readonly chainId: number
  readonly address: string
  readonly runtimeCodeHash: string
  readonly bytes: number
  readonly block: { readonly number: number; readonly hash: string }
  /** Hosts of the nodes. Their paths can contain keys. */
  readonly hosts: readonly string[]
}

const timeoutMs = 30_000

/**
 * Reads the code of a contract at the finalized block of two or more nodes.
 *
 * @throws Error for fewer than two hosts, ChainError if a read fails or the nodes disagree
 */
export async function observeContract(terms: {
  readonly chainId: number
  readonly address: Address
  readonly endpoints: readonly string[]
  readonly rule: FinalityRule
}): Promise<Observation> {
  const { chainId, address, endpoints, rule } = terms
  const hosts = endpoints.map((endpoint) => new URL(endpoint).host)
  if (new Set(hosts).size < 2) {
    throw new Error('observe requires --rpc for two nodes with different hosts')
  }
  const [first, ...rest] = endpoints.map((endpoint) =>
    chainClient({ endpoint, fetch, timeoutMs, chainId }),
  )
  if (!first) throw new Error('observe requires --rpc')
  const clients = [first, ...rest] as const
  const { head } = await agreeOnFinalizedHead(clients, rule)
  const code = await agreeOnAnswer(clients, (client) =>
    readAtBlock(client, head, (pin) => codeAt(client, pin, address)),
  )
  if (code === '0x') throw new Error(`${address} has no code at block ${head.number}`)
  return {
    chainId,
    address,
    runtimeCodeHash: keccak256(code),
    bytes: (code.length - 2) / 2,
    block: { number: head.number, hash: head.hash },
    hosts: hosts.toSorted(),
  }
}
