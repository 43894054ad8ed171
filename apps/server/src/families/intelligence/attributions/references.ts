import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Address, isAddressEqual } from 'viem'
import { Failure } from '../../../failure.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { ReadFill } from './read-order.ts'

type Input = contract.AttributionInput

/**
 * Rejects references to unknown records, and a receipt of another execution.
 *
 * @throws Failure 404 LIQUIDITY_SOURCE_UNAVAILABLE, 422 LIQUIDITY_ATTRIBUTION_INPUT_INVALID
 */
export async function requireSources(records: TenantRecords, input: Input): Promise<void> {
  const faults: FieldErrors = {}
  const receipt = input.receipt && (await receiptOf(records, input.receipt))
  if (input.receipt && !receipt) {
    const { id, resourceVersion } = input.receipt
    faults['payload.receipt'] = [`must be a stored version, got ${id} ${resourceVersion}`]
  }
  if (input.study) {
    const { id, resourceVersion } = input.study
    const study = await records.version('SimulationStudy', id, resourceVersion)
    if (!study) faults['payload.study'] = [`must be a stored version, got ${id} ${resourceVersion}`]
  }
  for (const [index, { venueId }] of input.fills.entries()) {
    if (venueId && !(await records.text('VenueProfile', venueId))) {
      faults[`payload.fills.${index}.venueId`] = [`must be a stored venue, got ${venueId}`]
    }
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', { fieldErrors: faults })
  }
  if (receipt) requireSameExecution(input, receipt)
}

async function receiptOf(
  records: TenantRecords,
  { id, resourceVersion }: NonNullable<Input['receipt']>,
): Promise<contract.ExecutionReceipt | null> {
  const found = await records.version<contract.ExecutionReceipt>(
    'ExecutionReceipt',
    id,
    resourceVersion,
  )
  return found?.record.payload ?? null
}

/** @throws Failure 422 LIQUIDITY_ATTRIBUTION_INPUT_INVALID */
function requireSameExecution({ pair, fills }: Input, receipt: contract.ExecutionReceipt): void {
  const { transactionHash, block } = receipt
  const isNamed = fills.some(({ txHash }) => txHash === transactionHash)
  if (isNamed && block.chainId === pair.chainId) return
  throw new Failure('LIQUIDITY_ATTRIBUTION_INPUT_INVALID', {
    fieldErrors: {
      'payload.receipt': [
        `must belong to one of the fills, got ${transactionHash} on chain ${block.chainId}`,
      ],
    },
  })
}

/**
 * Rejects a venue of another pair, or without part in its transaction.
 *
 * @throws Failure 422 LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION
 */
export async function requireVenues(
  records: TenantRecords,
  input: Input,
  read: readonly ReadFill[],
): Promise<void> {
  const faults: FieldErrors = {}
  for (const { venueId, receipt, traded } of read) {
    if (!venueId || !('branches' in traded)) continue
    const venue = await records.current<contract.VenueProfile>('VenueProfile', venueId)
    const address = venue?.record.payload.address as Address | undefined
    const isOnChain = venue?.record.payload.pair.chainId === input.pair.chainId
    const isLeg = traded.branches
      .flat()
      .some(({ terms }) => address && isAddressEqual(terms.address, address))
    if (isOnChain && isLeg) continue
    const index = input.fills.findIndex(({ txHash }) => txHash === receipt.transactionHash)
    faults[`payload.fills.${index}.venueId`] = ['must be a venue of the transaction']
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION', { fieldErrors: faults })
}
