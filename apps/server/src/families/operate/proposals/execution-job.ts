import { Failure } from '../../../failure.ts'
import { chainJobFailure, findChainError } from '../../../jobs/chain-failure.ts'
import { type JobEnd, JobFailure, type JobRun } from '../../../jobs/job-run.ts'
import { phaseOf } from '../../../market/proposals/agreed-packets.ts'
import { emptyChange } from '../../../store/records/change.ts'
import { proposals } from './records.ts'
import { registerExecution } from './register-execution.ts'

/** A node behind another one gives these. */
const laggingCodes: ReadonlySet<string> = new Set([
  'LIQUIDITY_SAFE_EVIDENCE_NOT_FOUND',
  'LIQUIDITY_SAFE_EVIDENCE_NOT_FINALIZED',
])

/**
 * Registers an execution that a reading of the Safe found, with the same checks as a registration
 * by a user. Changes nothing if the proposal is no longer approved or the packet is registered.
 */
export default async function runExecution(run: JobRun): Promise<JobEnd> {
  const { records, services, now, subject, organizationId } = run
  const transactionHash = `${run.input.transactionHash}`
  const current = await proposals.current(records, subject.id)
  if (!current) throw new Error(`Proposal ${subject.id} does not exist.`)
  // An execution before the expiry counts, even if it is read after it.
  const executedAt = Math.min(now, Number(run.input.executedAt))
  const phase = phaseOf(current.record, executedAt)
  if (phase !== 'APPROVED') {
    return {
      change: emptyChange(organizationId, now),
      result: { isRegistered: false, phase, transactionHash },
    }
  }
  try {
    const registered = await registerExecution({ records, services, now }, current, {
      transactionHash,
      executedAt,
      reason: 'A reading of the Safe found the execution',
    })
    const { change, receipt, proposal } = registered
    return {
      change,
      result: {
        isRegistered: true,
        phase: proposal.payload.phase,
        receiptId: receipt.id,
        transactionHash,
      },
    }
  } catch (error) {
    const chainError = findChainError(error)
    if (chainError) {
      throw chainJobFailure(chainError, run, `The execution ${transactionHash} was not read.`)
    }
    if (!(error instanceof Failure)) throw error
    if (error.code === 'LIQUIDITY_SAFE_EVIDENCE_ALREADY_BOUND') {
      return {
        change: emptyChange(organizationId, now),
        result: { isRegistered: false, phase, transactionHash },
      }
    }
    throw new JobFailure(error.code, `${error.message} Transaction ${transactionHash}.`, {
      retryable: laggingCodes.has(error.code),
      cause: error,
    })
  }
}
