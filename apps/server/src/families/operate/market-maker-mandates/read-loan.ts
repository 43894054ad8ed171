import type { contract } from '@liquidity-os/contract'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { coverageOf } from '@liquidity-os/engine/mandates'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import { containerKeyOf, tokenKey } from '../../../market/treasury/asset-keys.ts'
import { readHolding } from '../../../market/treasury/read-holding.ts'
import { readFromChain, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { liveCustody } from '../../prove/treasury-custody/api.ts'
import { lastNumber } from './evidence-of-days.ts'
import { isoOf } from './mandate-terms.ts'
import { type Mandate, observations } from './records.ts'
import { requireLoan } from './require-terms.ts'

/**
 * Reads the market maker's holdings of lent tokens. Sources are the declared wallets at the last
 * finalized block, with proofs, and the custodian's attestation for the loan.
 *
 * @throws Failure 412 if the loan is settled, 503 if the chain is unavailable
 */
export async function readLoan(
  records: TenantRecords,
  services: ProviderAccess,
  mandate: Mandate,
): Promise<Change> {
  const { marketMaker, pair, compensation } = mandate.payload
  if (!compensation.loan) throw new Error(`${mandate.id} has a loan coverage KPI but no loan.`)
  const loan = await requireLoan(records, mandate.payload, compensation.loan, 'CURRENT')
  const snapshot = await takeSnapshot(records, services, [pair.chainId], 'payload.pair.chainId')
  const chain = snapshot.chains.get(pair.chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${pair.chainId}.`)
  const { chainId } = pair
  const token = { kind: 'TOKEN', chainId, address: pair.base as Address } as const
  const held = await Promise.all(
    marketMaker.wallets.map(async ({ address }) => {
      const holding = await readFromChain(() => readHolding(chain, token, address as Address))
      if (holding === null) {
        throw new Failure('LIQUIDITY_TREASURY_ASSET_UNREADABLE', {
          fieldErrors: { 'payload.pair.base': [`must respond to balanceOf, got ${pair.base}`] },
        })
      }
      return { address, holding }
    }),
  )
  const entry = loan.record.payload
  const container = entry.entryKind === 'ASSET' ? containerKeyOf(entry.container) : ''
  const base = tokenKey(chainId, pair.base)
  const isOffChain = container.startsWith('custodian:')
  const live = isOffChain ? await liveCustody(records, container) : []
  const custody = live.filter(({ assetKey }) => assetKey === base)
  const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n)
  const reading = {
    at: snapshot.asOf,
    onChain: sum(held.map(({ holding }) => holding.balance)),
    attested: sum(custody.map(({ quantity }) => quantity)),
    lent: loan.lentTokens,
  }
  const coverage = coverageOf(reading)
  const { id, resourceVersion, sequence } = mandate
  const { number: blockNumber, hash, timestamp } = chain.block
  const loanPayload = {
    source: 'LOAN' as const,
    mandate: { id, resourceVersion },
    number: (await lastNumber(records, id)) + 1,
    at: isoOf(reading.at),
    blocks: [{ chainId, number: blockNumber, hash, timestamp: isoOf(timestamp) }],
    wallets: held.map(({ address, holding }) => ({
      chainId,
      address,
      balance: `${holding.balance}`,
      proof: holding.proof,
    })),
    onChain: `${reading.onChain}`,
    custody: custody.map(({ evidence, quantity }) => ({ evidence, quantity: `${quantity}` })),
    attested: `${reading.attested}`,
    loan: {
      resourceType: loan.record.resourceType,
      id: loan.record.id,
      resourceVersion: loan.record.resourceVersion,
    },
    lent: `${reading.lent}`,
    coveragePips: `${coverage.both}`,
    onChainPips: `${coverage.chain}`,
  }
  const payload: contract.MandateLoanReading = {
    ...loanPayload,
    evidenceHash: H('mandate-loan-reading/v1', loanPayload),
    engineVersion,
    engineBuildHash: engineBuildHash(),
    executionPerformed: false,
    executionAuthorityGranted: false,
  }
  const { sealed, change } = observations.first(records, {
    status: 'COMPLETED',
    payload,
    reason: 'Loan coverage reading',
    event: 'mandate.observed',
    eventPayload: { mandateId: id, source: 'LOAN', coveragePips: loanPayload.coveragePips },
  })
  const producer = {
    id: sealed.record.id,
    resourceType: sealed.record.resourceType,
    resourceVersion: sealed.record.resourceVersion,
  }
  const artifacts = held.flatMap(({ holding: { evidence } }) =>
    evidence ? [{ ...evidence, mediaType: 'application/json', producer }] : [],
  )
  return { ...change, expects: [...change.expects, { id, sequence }], artifacts }
}
