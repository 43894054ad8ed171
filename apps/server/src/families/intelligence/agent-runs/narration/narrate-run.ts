import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { FeedError } from '../../../../integrations/feeds/feed-error.ts'
import {
  activeLanguageModel,
  type LanguageModel,
} from '../../../../integrations/models/configured-models.ts'
import {
  askForWords,
  type ModelWords,
  wordsBody,
} from '../../../../integrations/models/language-model.ts'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import { limits } from '../../../../limits.ts'
import { required } from '../../../../required.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { settleStep } from '../advance-run.ts'
import type { Run } from '../records.ts'
import { sealJson } from '../sealed-json.ts'
import { verifyRun } from '../verify-run.ts'
import { masked, unmasked, wordsFault } from './faithful-words.ts'
import type { SealedWords } from './published-narration.ts'

type Narration = contract.Narration

/** True if the organization has an active language model and the token budget is not 0. */
export const mayNarrate = async (records: TenantRecords, { budget }: Run): Promise<boolean> =>
  budget.maximumModelTokens !== 0 && (await activeLanguageModel(records)) !== null

/**
 * Requests alternative wordings from the organization's language model and stores the faithful
 * ones. Neither the report nor the result hash depends on the wordings.
 */
export async function narrateRun(run: JobRun, current: Current<Run>): Promise<JobEnd> {
  const { records, services } = run
  const { id, payload } = current.record
  const { rebuilt } = await verifyRun(records, services.database, services.background, {
    id,
    payload,
  })
  const sentences = rebuilt.report.narrative.sentences.map(({ text }) => text)
  const { narration, words, modelTokens } = await narrated(run, payload, sentences)
  const sealed =
    words &&
    sealJson({ ...words, draftHash: required(payload.draftHash, `draft of the run ${id}`) })
  const sealedNarration: Narration = { ...narration, wordsHash: sealed?.contentHash ?? null }
  return settleStep(run, current, {
    outcomeHash: H('narration/v1', sealedNarration),
    patch: { narration: sealedNarration },
    modelTokens,
    next: { step: 'VERIFY' },
    event: 'agent_run.step_settled',
    eventDetails: { narration: sealedNarration.status },
    artifacts: sealed ? [sealed] : [],
  })
}

interface Narrated {
  readonly narration: Omit<Narration, 'wordsHash'>
  readonly words: Omit<SealedWords, 'draftHash'> | null
  readonly modelTokens: number
}

const unasked = { provider: null, model: null, attempts: 0, faults: [] }

async function narrated(
  run: JobRun,
  { budget, usage }: Run,
  sentences: readonly string[],
): Promise<Narrated> {
  const found = await activeLanguageModel(run.records)
  const templates = (reason: string): Narrated => ({
    narration: { status: 'TEMPLATES', reason, ...unasked },
    words: null,
    modelTokens: 0,
  })
  if (!found) return templates('NO_MODEL')
  const remaining = (budget.maximumModelTokens ?? limits.modelRunTokens) - (usage.modelTokens ?? 0)
  const requested = sentences.map(masked)
  const each = minTokens(found.model, requested)
  if (each > remaining) return templates('BUDGET_EXHAUSTED')
  const attempts = Math.min(limits.modelAttempts, Math.floor(remaining / each))
  const answer = await requestWords(run, found.model, requested, attempts)
  const { ref: provider, model } = found
  const by = { provider, model: model.model, attempts: answer.attempts }
  const modelTokens = answer.words?.tokens ?? answer.attempts * each
  if (!answer.words) {
    const narration: Narrated['narration'] = {
      status: 'UNAVAILABLE',
      reason: answer.reason,
      ...by,
      faults: [],
    }
    return { narration, words: null, modelTokens }
  }
  return { ...narrationOf(sentences, answer.words, by), modelTokens }
}

/** A token has at most three bytes, and a response can use the maximum tokens. */
const minTokens = (model: LanguageModel, sentences: readonly string[]): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(wordsBody(model, sentences))) / 3) +
  (model.maximumTokens ?? limits.modelAnswerTokens)

type ModelReply =
  | { readonly attempts: number; readonly words: ModelWords }
  | { readonly attempts: number; readonly words: null; readonly reason: string }

/**
 * Retries once if the model does not respond. A malformed response is not retried, because the
 * model would repeat it.
 */
async function requestWords(
  { services, signal }: JobRun,
  model: LanguageModel,
  sentences: readonly string[],
  max: number,
): Promise<ModelReply> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { attempts, words: await askForWords(model, sentences, services, signal) }
    } catch (error) {
      if (!(error instanceof FeedError || error instanceof Failure)) throw error
      const isAway = error instanceof FeedError && error.code === 'LIQUIDITY_PROVIDER_UNAVAILABLE'
      if (isAway && attempts < max) continue
      const reason = error instanceof FeedError ? error.reason : error.code
      return { attempts, words: null, reason: reason.slice(0, 120) }
    }
  }
}

function narrationOf(
  sentences: readonly string[],
  { words: came }: ModelWords,
  by: Pick<Narration, 'provider' | 'model' | 'attempts'>,
): Omit<Narrated, 'modelTokens'> {
  const found = sentences.map((template, index) => {
    const text = came[index]
    if (text == null) return { text: null, fault: 'MISSING' as const }
    const words = unmasked(text, template)
    const fault = wordsFault(template, words)
    return { text: fault ? null : words, fault }
  })
  const faults = found.flatMap(({ fault }, index) => (fault ? [{ place: index, fault }] : []))
  const validCount = found.length - faults.length
  const status = validCount === 0 ? 'REFUSED' : faults.length === 0 ? 'MODEL' : 'MIXED'
  return {
    narration: { status, reason: null, ...by, faults },
    words:
      validCount === 0
        ? null
        : { wordsVersion: 'narration-words-v2', words: found.map(({ text }) => text) },
  }
}
