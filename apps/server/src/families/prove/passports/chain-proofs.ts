import type { contract } from '@liquidity-os/contract'
import type { LoggedMarket } from '@liquidity-os/engine/amm'
import { canonicalize } from '@liquidity-os/evidence'
import { type Address, concatHex, type Hex, numberToHex, pad } from 'viem'
import { Failure } from '../../../failure.ts'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { ask, type ChainClient } from '../../../integrations/chain/client.ts'
import { encodeHeader } from '../../../integrations/chain/header.ts'
import { anyChainProviders } from '../../../integrations/providers/chain-providers.ts'
import type { JobRun } from '../../../jobs/job-run.ts'
import { keccak256 } from '../../../keccak256.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import { parseExact } from '../../../market/exact-json.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'

/** Proof of account storage slots at a block, for third parties. */
interface ChainProof {
  readonly chainId: number
  readonly number: number
  readonly hash: string
  readonly timestamp: string
  /** The header in RLP. */
  readonly header: Hex
  readonly accounts: readonly {
    readonly address: string
    readonly codeHash: Hex
    readonly accountProof: readonly Hex[]
    readonly storage: readonly {
      readonly key: Hex
      readonly value: Hex
      readonly proof: readonly Hex[]
    }[]
  }[]
}

interface ProofRequest {
  readonly block: contract.LiquidityPassportSourceBindings['blocks'][number]
  readonly accounts: Map<string, Set<Hex>>
}

export interface ChainProofs {
  readonly files: readonly { readonly content: Uint8Array; readonly mediaType: string }[]
  /** Reason why a block has no proofs. */
  readonly gaps: readonly string[]
}

/** Maximum slots per block to request, because a pool may have many ticks. */
const maxSlots = 4_000

/**
 * Proofs of the storage slots of the Safe and of the pools at the bound blocks, if nodes serve
 * them.
 */
export async function readChainProofs(
  { records, services, signal }: JobRun,
  { sourceBindings: { blocks, venueObservations } }: contract.LiquidityPassport,
  vault: contract.QualifiedVault,
): Promise<ChainProofs> {
  const requested = new Map<string, ProofRequest>(
    blocks.map((block) => [`${block.chainId}/${block.hash}`, { block, accounts: new Map() }]),
  )
  const want = (at: { chainId: number; hash: string }, address: string, slots: readonly Hex[]) => {
    const { accounts } = requested.get(`${at.chainId}/${at.hash}`) ?? { accounts: null }
    if (!accounts) throw new Error('A bound record refers to a block that is not bound.')
    accounts.set(address, new Set([...(accounts.get(address) ?? []), ...slots]))
  }
  want(vault.snapshot, vault.safeAddress, safeSlots(vault.control.owners as Address[]))
  for (const { id, resourceVersion } of venueObservations) {
    const found = await records.version<ObservationRecord['payload']>(
      'VenueObservation',
      id,
      resourceVersion,
    )
    if (!found) throw new Error(`The observation ${id} of a passport is not stored.`)
    const { venue, state } = found.record.payload
    const profile = await records.current<VenueRecord['payload']>('VenueProfile', venue.id)
    const bytes = await records.artifact(state.artifactHash)
    const market = parseExact(bytes.toString('utf8')) as LoggedMarket
    const address = profile?.record.payload.address
    if (address) want(state.at, address, poolSlots(market))
  }
  const files: ChainProofs['files'][number][] = []
  const gaps: string[] = []
  for (const { block, accounts } of requested.values()) {
    const blockText = `chain ${block.chainId}, block ${block.number}`
    try {
      const providers = await anyChainProviders(records, services, block.chainId)
      if (signal.aborted) throw new Error('The job was stopped.')
      const proof = await proofAt(providers[0].client, { block, accounts })
      if (proof) {
        const content = Buffer.from(canonicalize(proof))
        files.push({ content, mediaType: 'application/json' })
      } else gaps.push(`PROOFS_NOT_SERVED: ${blockText}`)
    } catch (error) {
      // A node without the block or without proof support does not affect the rest.
      if (!(error instanceof ChainError || error instanceof Failure)) throw error
      gaps.push(`PROOFS_NOT_SERVED: ${blockText}`)
    }
  }
  return { files, gaps }
}

async function proofAt(
  client: ChainClient,
  { block, accounts }: ProofRequest,
): Promise<ChainProof | null> {
  const slots = [...accounts.values()].reduce((sum, keys) => sum + keys.size, 0)
  if (slots > maxSlots) return null
  const header = await ask<Record<string, unknown> | null>(client, 'eth_getBlockByHash', [
    ...[block.hash, false],
  ])
  const encoded = header && encodeHeader(header)
  // A chain with other header fields cannot prove its block hash to a third party.
  if (!encoded || keccak256(encoded) !== block.hash) return null
  const number = numberToHex(block.number)
  const proven: ChainProof['accounts'][number][] = []
  for (const [address, keys] of accounts) {
    const answer = await ask<ProofAnswer>(client, 'eth_getProof', [address, [...keys], number])
    proven.push({
      address,
      codeHash: answer.codeHash,
      accountProof: answer.accountProof,
      storage: answer.storageProof.map(({ key, value, proof }) => ({
        key: pad(key, { size: 32 }),
        proof,
        value: pad(numberToHex(BigInt(value)), { size: 32 }),
      })),
    })
  }
  return { ...block, header: encoded, accounts: proven }
}

interface ProofAnswer {
  readonly codeHash: Hex
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly { key: Hex; value: Hex; proof: readonly Hex[] }[]
}

const word = (value: bigint): Hex => pad(numberToHex(value), { size: 32 })
const mapped = (key: Hex, slot: bigint): Hex =>
  keccak256(concatHex([pad(key, { size: 32 }), word(slot)]))

/** The singleton, the list of owners, their number, the threshold and the nonce of a Safe. */
function safeSlots(owners: readonly Address[]): Hex[] {
  const sentinel: Address = '0x0000000000000000000000000000000000000001'
  return [0n, 3n, 4n, 5n].map(word).concat([sentinel, ...owners].map((one) => mapped(one, 2n)))
}

/** Storage slots that determine quotes of Uniswap v2 and v3 pools; other pools have no proof. */
function poolSlots(market: LoggedMarket): Hex[] {
  if (market.kind === 'UNISWAP_V2') return [word(8n)]
  if (market.kind !== 'UNISWAP_V3') return []
  const ticks = market.ticks.map(({ index }) =>
    mapped(word(BigInt.asUintN(256, BigInt(index))), 5n),
  )
  return [word(0n), word(4n), ...ticks]
}
