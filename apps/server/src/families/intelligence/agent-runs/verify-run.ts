import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { canonicalize, type Hash } from '@liquidity-os/evidence'
import type { Database } from '../../../store/database/database.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Threads } from '../../../threads.ts'
import { readLogged } from '../../prove/proof/api.ts'
import { type RebuiltAssessment, rebuildAssessment } from './assessed/assessed-report.ts'
import type { AssessmentKind } from './assessed/report-kind.ts'
import { assessmentKindOf } from './assessed/report-kinds.ts'
import { captureRoot, evidenceIdOf } from './capture-root.ts'
import { type NarrationWords, readNarrationWords } from './narration/published-narration.ts'
import type { Run } from './records.ts'
import { reportMaterial } from './report-material.ts'
import type { RebuiltReport, ReportAnswer } from './report-task.ts'

type Check = contract.RunCheck
type Logged = contract.AgentRunResult['verification']['logged']

export interface Verified {
  readonly checks: readonly { readonly code: Check; readonly ok: boolean }[]
  readonly rebuilt: Pick<RebuiltReport | RebuiltAssessment, 'report' | 'resultHash'>
  /** Model wordings, one per sentence; null if the template applies. */
  readonly words: NarrationWords['words']
  readonly logged: Logged
}

/**
 * Rebuilds the report of a run from its seals and compares it with the recorded events. A run
 * without report passes.
 *
 * @throws Error if sealed bytes are missing or differ
 */
export async function verifyRun(
  records: TenantRecords,
  database: Database,
  threads: Threads,
  run: { readonly id: string; readonly payload: Run },
): Promise<Verified> {
  const kind = assessmentKindOf(run.payload.kind)
  const verified = kind
    ? await verifyAssessment(kind, records, database, run)
    : await verifyResearch(records, database, threads, run)
  const { words, areFaithful } = await readNarrationWords(
    records,
    run.payload,
    verified.rebuilt.report,
  )
  const faithful = areFaithful === null ? [] : checksOf({ WORDS_FAITHFUL: areFaithful })
  return { ...verified, checks: [...verified.checks, ...faithful], words }
}

/** All but the words. */
type Rebuilt = Omit<Verified, 'words'>

async function verifyAssessment(
  kind: AssessmentKind,
  records: TenantRecords,
  database: Database,
  { id, payload }: { readonly id: string; readonly payload: Run },
): Promise<Rebuilt> {
  const events = await records.events(id)
  const rebuilt = await rebuildAssessment(kind, records, payload)
  const eventSealings = sealings(events)
  return {
    checks: checksOf({
      ...captureChecks(payload, eventSealings),
      EVENT_ORDER: isChain(events) && isAscending(sequencesOf(eventSealings)),
      REPORT_REBUILT: rebuilt.isOfDraft && isSame(payload, rebuilt.report),
      NARRATIVE_GROUNDED: rebuilt.report.narrative.draftHash === payload.draftHash,
      FIGURES_CITED: rebuilt.areFiguresCited,
      RESULT_HASH: isResult(payload, rebuilt.resultHash),
    }),
    rebuilt,
    logged: await loggedAt(database, eventSealings),
  }
}

const checksOf = (found: Partial<Record<Check, boolean>>): Verified['checks'] =>
  (Object.entries(found) as [Check, boolean][]).map(([code, ok]) => ({ code, ok }))

const isSame = ({ report }: Run, rebuilt: Verified['rebuilt']['report']): boolean =>
  report === null || canonicalize(report) === canonicalize(rebuilt)

const isResult = ({ resultHash }: Run, rebuilt: Hash): boolean =>
  resultHash === null || rebuilt === resultHash

/** Checks of the capture, common to all kinds of runs. */
const captureChecks = ({ capture, captureHash }: Run, eventSealings: Sealings) => ({
  CAPTURE_ITEMS: (capture?.items ?? []).every((item) => evidenceIdOf(item) === item.evidenceId),
  CAPTURE_ROOT:
    captureRoot(capture?.items ?? []) === captureHash &&
    eventSealings.capture?.payload.captureHash === captureHash,
})

async function verifyResearch(
  records: TenantRecords,
  database: Database,
  threads: Threads,
  { id, payload }: { readonly id: string; readonly payload: Run },
): Promise<Rebuilt> {
  const events = await records.events(id)
  for (const { contentHash } of payload.capture?.items ?? []) await records.artifact(contentHash)
  const task = await reportMaterial(records, payload)
  const answer: ReportAnswer = await threads.run(new URL('./report-task.ts', import.meta.url), task)
  if (!('rebuilt' in answer)) throw new Error('A run without a draft has no report.')
  const { rebuilt } = answer
  const eventSealings = sealings(events)
  const logged = await loggedAt(database, eventSealings)
  return {
    checks: checksOf({
      PROTOCOL_HASH:
        rebuilt.isProtocol && eventSealings.protocol?.payload.protocolHash === payload.protocolHash,
      ...captureChecks(payload, eventSealings),
      RECEIPTS: rebuilt.areReceipts && areSettled(eventSealings.trials, payload),
      EVENT_ORDER: isChain(events) && isAscending(sequencesOf(eventSealings)),
      LOG_ORDER: isAscending([logged.protocol, logged.capture, logged.firstReceipt]),
      REPORT_REBUILT: rebuilt.isOfDraft && isSame(payload, rebuilt.report),
      NARRATIVE_GROUNDED: rebuilt.report.narrative.draftHash === payload.draftHash,
      RESULT_HASH: isResult(payload, rebuilt.resultHash),
    }),
    rebuilt,
    logged,
  }
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

/** Every event references the previous one, from the first on. */
function isChain(events: readonly OperatingSystemEvent[]): boolean {
  return events.every(
    ({ sequence, previousEventHash }, index) =>
      sequence === index + 1 && previousEventHash === (events[index - 1]?.evidenceHash ?? null),
  )
}

function isAscending(places: readonly (number | null)[]): boolean {
  const known = places.filter((place) => place !== null)
  return known.every((itemIndex, index) => index === 0 || itemIndex > (known[index - 1] ?? 0))
}

/** The receipts of the run are exactly those of its events. */
function areSettled(trials: readonly OperatingSystemEvent[], { trials: states }: Run): boolean {
  const hashByTrial = new Map(trials.map(({ payload }) => [payload.trialKey, payload.receiptHash]))
  return states.every(
    ({ trialKey, receiptHash }) => (hashByTrial.get(trialKey) ?? null) === receiptHash,
  )
}

/** Proof log leaves of the sealings that a checkpoint covers. */
async function loggedAt(database: Database, { protocol, capture, trials }: Sealings) {
  const events = [protocol, capture, trials[0]]
  const hashes = events.flatMap((event) => (event ? [event.evidenceHash as Hash] : []))
  const found = await readLogged(database, hashes)
  const [first, second, third] = events.map((event) =>
    event ? (found.get(event.evidenceHash as Hash)?.inclusion.leafIndex ?? null) : null,
  )
  return { protocol: first ?? null, capture: second ?? null, firstReceipt: third ?? null }
}
