import { Failure } from '../../../failure.ts'
import { jobPatience } from '../../../integrations/providers/chain-providers.ts'
import { chainJobFailure, findChainError } from '../../../jobs/chain-failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { limits } from '../../../limits.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { releaseOrNull } from '../../operate/autonomy-policies/api.ts'
import { type VaultBinding, vaultBindings } from './holdings.ts'
import { type Observing, observeVault } from './observe-vault.ts'
import { readControl } from './read-control.ts'

/**
 * Reads the Safe of a holding at the finalized block, creates or updates its vaults, and creates
 * receipts of its executions. If several holdings define the same vault, only the job of the oldest
 * runs, to avoid duplicate work.
 */
export default async function runVaultObservation(run: JobRun): Promise<JobEnd> {
  try {
    return await observe(run)
  } catch (error) {
    const chainError = findChainError(error)
    if (chainError) {
      throw chainJobFailure(chainError, run, 'The chain of the vault could not be read.')
    }
    if (error instanceof Failure) {
      throw new JobFailure(error.code, error.message, { retryable: false, cause: error })
    }
    throw error
  }
}

async function observe(run: JobRun): Promise<JobEnd> {
  const all = await vaultBindings(run.records)
  const bindings = all.filter(({ entries: [oldest] }) => oldest?.id === run.subject.id)
  const summaries: Record<string, unknown>[] = []
  const [first] = bindings
  if (first) {
    const observing = await startObserving(run, first)
    for (const binding of bindings) summaries.push(await observeToEnd(run, observing, binding))
  }
  return { change: emptyChange(run.organizationId, run.now), result: { vaults: summaries } }
}

/** The Safe is read once for all its vaults, at one block. */
async function startObserving(run: JobRun, { chainId, safe }: VaultBinding): Promise<Observing> {
  const snapshot = await takeSnapshot(
    run.records,
    run.services,
    [chainId],
    'chainId',
    jobPatience(run.signal),
  )
  const chain = snapshot.chains.get(chainId)
  const [view] = snapshot.view.chains
  if (!chain || !view) throw new Error(`The snapshot does not cover chain ${chainId}.`)
  const finality = {
    rule: view.depth === null ? 'TAG' : `DEPTH ${view.depth}`,
    providers: view.providers.length,
    limitations: [...snapshot.limitations],
  }
  const release = releaseOrNull(run.services, run.now)
  return { run, chain, finality, release, reading: await readControl(chain, safe) }
}

/** Reads a long history in parts, and stores each part with its receipts. */
async function observeToEnd(
  run: JobRun,
  observing: Observing,
  binding: VaultBinding,
): Promise<Record<string, unknown>> {
  let receipts = 0
  for (let part = 0; part < limits.vaultPartsAtOnce; part += 1) {
    const observed = await observeVault(observing, binding)
    receipts += observed.receipts
    if (observed.change) await run.keep(observed.change)
    if (observed.isWhole) return { vaultId: observed.vaultId, receipts, isWhole: true }
  }
  return { receipts, isWhole: false }
}
