import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { canonicalize, type Hash } from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { readLogged } from '../../prove/proof/face.ts'
import { captureRoot, evidenceIdOf } from './capture-root.ts'
import type { Run } from './records.ts'
import { reportMaterial } from './report-material.ts'
import type { RebuiltReport, ReportAnswer } from './report-task.ts'

type Check = contract.ResearchCheck
type Logged = contract.AgentRunResult['verification']['logged']

/** What a run was found to be when it was rebuilt from what it sealed. */
export interface Verified {
  readonly checks: readonly { readonly code: Check; readonly ok: boolean }[]
  readonly rebuilt: RebuiltReport
  readonly logged: Logged
}

/**
 * Rebuilds the report of a run from its protocol, its capture, its receipts and its draft, and holds against each other what they
 * and the events say. A run that has no report yet is held against nothing.
 *
 * @throws Error where sealed bytes are missing or other
 */
export async function verifyRun(
  records: TenantRecords,
  database: Database,
  threads: Threads,
  { id, payload }: { readonly id: string; readonly payload: Run },
): Promise<Verified> {
  const events = await records.events(id)
  for (const { contentHash } of payload.capture?.items ?? []) await records.artifact(contentHash)
  const task = await reportMaterial(records, payload)
  const answer: ReportAnswer = await threads.run(new URL('./report-task.ts', import.meta.url), task)
  if (!('rebuilt' in answer)) throw new Error('A run without a draft has no report.')
  const { rebuilt } = answer
  const told = sealings(events)
  const logged = await loggedAt(database, told)
  const { report, resultHash } = payload
  const isSame = report === null || canonicalize(report) === canonicalize(rebuilt.report)
  const found: Record<Check, boolean> = {
    PROTOCOL_HASH:
      rebuilt.isProtocol && told.protocol?.payload.protocolHash === payload.protocolHash,
    CAPTURE_ITEMS: (payload.capture?.items ?? []).every(
      (item) => evidenceIdOf(item) === item.evidenceId,
    ),
    CAPTURE_ROOT:
      captureRoot(payload.capture?.items ?? []) === payload.captureHash &&
      told.capture?.payload.captureHash === payload.captureHash,
    RECEIPTS: rebuilt.areReceipts && areSettled(told.trials, payload),
    EVENT_ORDER: isChain(events) && isAscending(sequencesOf(told)),
    LOG_ORDER: isAscending([logged.protocol, logged.capture, logged.firstReceipt]),
    REPORT_REBUILT: rebuilt.isOfDraft && isSame,
    NARRATIVE_GROUNDED: rebuilt.report.narrative.draftHash === payload.draftHash,
    RESULT_HASH: resultHash === null || rebuilt.resultHash === resultHash,
  }
  const checks = (Object.keys(found) as Check[]).map((code) => ({ code, ok: found[code] }))
  return { checks, rebuilt, logged }
}

interface Sealings {
  readonly protocol: OperatingSystemEvent | undefined
  readonly capture: OperatingSystemEvent | undefined
  readonly trials: readonly OperatingSystemEvent[]
}

function sealings(events: readonly OperatingSystemEvent[]): Sealings {
  const of = (kind: string) => events.filter((event) => event.kind === `agent_run.${kind}`)
  return {
    protocol: of('protocol_sealed')[0],
    capture: of('capture_sealed')[0],
    trials: of('trial_settled'),
  }
}

const sequencesOf = ({ protocol, capture, trials }: Sealings) =>
  [protocol, capture, ...trials].map((event) => event?.sequence ?? 0)

/** Every event names the one before, from the first on. */
function isChain(events: readonly OperatingSystemEvent[]): boolean {
  return events.every(
    ({ sequence, previousEventHash }, place) =>
      sequence === place + 1 && previousEventHash === (events[place - 1]?.evidenceHash ?? null),
  )
}

/** What is not known yet is left out. */
function isAscending(places: readonly (number | null)[]): boolean {
  const known = places.filter((place) => place !== null)
  return known.every((place, index) => index === 0 || place > (known[index - 1] ?? 0))
}

/** The receipts of the run are those of its events, and no others. */
function areSettled(trials: readonly OperatingSystemEvent[], { trials: states }: Run): boolean {
  const told = new Map(trials.map(({ payload }) => [payload.trialKey, payload.receiptHash]))
  return states.every(({ trialKey, receiptHash }) => (told.get(trialKey) ?? null) === receiptHash)
}

/** The leaves of the proof log that hold the sealings, as far as a signed head covers them. */
async function loggedAt(database: Database, { protocol, capture, trials }: Sealings) {
  const events = [protocol, capture, trials[0]]
  const hashes = events.flatMap((event) => (event ? [event.evidenceHash as Hash] : []))
  const found = await readLogged(database, hashes)
  const [first, second, third] = events.map((event) =>
    event ? (found.get(event.evidenceHash as Hash)?.inclusion.leafIndex ?? null) : null,
  )
  return { protocol: first ?? null, capture: second ?? null, firstReceipt: third ?? null }
}
