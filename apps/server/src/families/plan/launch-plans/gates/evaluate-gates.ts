import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { readFromChain, takeSnapshot } from '../../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { chainGate, chainOfGate } from './chain-gates.ts'
import { type Gate, gateResult, open, type Result } from './gate-result.ts'
import { recordGate } from './record-gates.ts'

type Plan = VersionedRecord<contract.LaunchPlan>

/** Maximum gates per evaluation; further ones are UNKNOWN. */
const maxGates = 64

/**
 * Evaluates one gate now.
 *
 * @throws Failure 422, 503 if its chain is unavailable
 */
export async function evaluateGate(
  records: TenantRecords,
  services: ProviderAccess,
  plan: Plan,
  gate: Gate,
): Promise<Result> {
  const byRecords = recordGate(records, services, plan, gate)
  if (byRecords) return byRecords
  const chainId = chainOfGate(plan, gate)
  if (chainId === null) return open('The plan token is not on a chain.')
  const snapshot = await takeSnapshot(records, services, [chainId], 'gate.chainId')
  const chain = snapshot.chains.get(chainId)
  if (!chain) throw new Error(`The snapshot has no chain ${chainId}.`)
  return readFromChain(() => chainGate(plan, gate, chain))
}

/**
 * Evaluates the gates of open steps, by key. A gate that cannot be evaluated is UNKNOWN with a
 * reason.
 */
export async function evaluateGates(
  records: TenantRecords,
  services: ProviderAccess,
  plan: Plan,
  steps: readonly { readonly key: string; readonly gate?: Gate; readonly doneAt: number | null }[],
): Promise<ReadonlyMap<string, Result>> {
  const gated = steps.flatMap(({ key, gate, doneAt }) =>
    gate && doneAt === null ? [{ key, gate }] : [],
  )
  const results = new Map<string, Result>()
  for (const [index, { key, gate }] of gated.entries()) {
    results.set(
      key,
      index < maxGates
        ? await evaluateGate(records, services, plan, gate).catch(unknown)
        : gateResult('UNKNOWN', `Only ${maxGates} gates are evaluated at a time.`),
    )
  }
  return results
}

function unknown(error: unknown): Result {
  if (!(error instanceof Failure)) throw error
  return gateResult('UNKNOWN', `${error.code}: ${error.message}`)
}
