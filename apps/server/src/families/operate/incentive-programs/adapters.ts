import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { Hex } from 'viem'
import { Failure } from '../../../failure.ts'
import { ask } from '../../../integrations/chain/client.ts'
import {
  agreeOnFinalizedHead,
  blockArgument,
  readAtBlock,
} from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import type { ChainProvider } from '../../../integrations/providers/chain-providers.ts'
import { keccak256 } from '../../../keccak256.ts'

type Request = Static<typeof contract.IncentiveProgramRequest>
type RewardedVenue = Request['venues'][number]

/** Distribution method of a reward kind, and evidence of its first distribution. */
interface RewardAdapter {
  /** Required type of the distributor account. */
  code: 'NONE' | 'CONTRACT'
}

const adapters: Readonly<Record<string, RewardAdapter>> = {
  /** An account without code sends the reward token to providers. */
  'account-transfer-v1': { code: 'NONE' },
  /** A contract whose code was reviewed sends the reward token to providers. */
  'contract-transfer-v1': { code: 'CONTRACT' },
}

export const attestationHash = (attestation: RewardedVenue['attestation']): string =>
  H('incentive-adapter-attestation/v1', attestation)

const invalid = (itemIndex: number, field: string, message: string) =>
  new Failure('LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID', {
    message: `The adapter evidence of venue ${itemIndex} ${message}.`,
    fieldErrors: { [`payload.venues.${itemIndex}.${field}`]: [message] },
  })

/**
 * Rejects evidence that is invalid without any chain read.
 *
 * @throws Failure 400 LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID
 */
export function requireAttested(
  stated: RewardedVenue,
  index: number,
  request: Request,
  venueAddress: string,
  now: number,
): void {
  const { adapterId, adapterEvidenceHash, attestation } = stated
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (!Object.hasOwn(adapters, adapterId)) {
    throw invalid(index, 'adapterId', `must be one of ${Object.keys(adapters).join(', ')}`)
  }
  if (attestation.adapterId !== adapterId) {
    throw invalid(index, 'attestation.adapterId', 'must be for the same adapter')
  }
  if (attestationHash(attestation) !== adapterEvidenceHash) {
    throw invalid(
      index,
      'adapterEvidenceHash',
      `must match the attestation, ${attestationHash(attestation)}`,
    )
  }
  if (Date.parse(attestation.expiresAt) <= now) {
    throw invalid(
      index,
      'attestation.expiresAt',
      `must not have expired; expired at ${attestation.expiresAt}`,
    )
  }
  const isOfVenue =
    attestation.chainId === request.pair.chainId && same(attestation.venue, venueAddress)
  if (!isOfVenue) throw invalid(index, 'attestation.venue', 'must support this venue')
  if (!same(attestation.rewardAsset, request.rewardAsset)) {
    throw invalid(index, 'attestation.rewardAsset', 'must be for the same reward asset')
  }
}

export interface VerifiedAdapters {
  head: Header
  codeHashes: readonly string[]
}

/**
 * Compares the code of every distributor with its attestation, at the finalized head.
 *
 * @throws Failure 400 LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID
 * @throws ChainError if a read fails
 */
export async function verifyAdapters(
  providers: readonly [ChainProvider, ...ChainProvider[]],
  venues: Request['venues'],
): Promise<VerifiedAdapters> {
  const { head } = await agreeOnFinalizedHead(
    providers.map(({ client }) => client),
    providers[0].configuration.finality,
  )
  const codeHashes: string[] = []
  for (const [index, { attestation, adapterId }] of venues.entries()) {
    const code = await readAtBlock(providers[0].client, head, (pin) =>
      ask<Hex>(providers[0].client, 'eth_getCode', [attestation.distributor, blockArgument(pin)]),
    )
    const found = keccak256(code)
    if (found !== attestation.codeHash) {
      throw invalid(index, 'attestation.codeHash', `must match the code on chain, ${found}`)
    }
    const isContract = code !== '0x'
    if (isContract !== (adapters[adapterId]?.code === 'CONTRACT')) {
      throw invalid(
        index,
        'adapterId',
        isContract
          ? 'must be an adapter for contracts'
          : 'must be an adapter for accounts without code',
      )
    }
    codeHashes.push(found)
  }
  return { head, codeHashes }
}
