import type { contract, Ref } from '@liquidity-os/contract'
import {
  bottomTerms,
  compareTerms,
  type GrammarContext,
  grammarVersion,
  type PolicyField,
  type PolicyTerms,
  type ReadText,
  restateTerms,
  type TermsComparison,
} from '@liquidity-os/engine/policy'
import { H } from '@liquidity-os/evidence'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import { dayMilliseconds } from '../../../units.ts'
import { inputOf, termsOf } from './policy-terms.ts'
import type { Policy } from './records.ts'
import type { Vault } from './vault-of.ts'

type Payload = contract.PolicyIntentDraft
type Value = Payload['values'][number]
type Input = contract.AutonomyPolicyInput

const draftDays = 30
const optional: readonly PolicyField[] = ['minimumPriceX18', 'maximumPriceX18']
const spoken: readonly PolicyField[] = [
  ...(['level', 'maximumAmountPerTransaction', 'maximumDailyTurnover'] as const),
  ...(['maximumSlippagePips', 'approvedContracts', 'approvedAssets'] as const),
  ...(['approvedAdapterIds', 'minimumSecondsBetweenActions', 'oracleMaximumAgeSeconds'] as const),
  ...(['expiresAt', 'publicMempoolFallbackAllowed', ...optional] as const),
]

/** Limits from the input, before defaults from other sources. */
export interface StatedLimits {
  readonly values: readonly Value[]
  readonly unparsed: Payload['unparsed']
  readonly conflicts: Payload['conflicts']
  readonly coveragePips: number
  readonly text: string | null
  /** Proposal of a language model, if one was used. */
  readonly suggestion?: Payload['suggestion']
  /** Sealed with the draft. */
  readonly artifacts?: readonly Omit<ArtifactInsert, 'producer'>[]
}

/** Limits from a text, each with its source passages. */
export function limitsFromText(text: string, read: ReadText): StatedLimits {
  return {
    text,
    values: read.values.map(({ field, value, spans }) => ({
      field,
      value,
      provenance: spans.map(({ start, end, quote, ruleId }) => ({ start, end, quote, ruleId })),
    })),
    unparsed: read.refused.map(({ start, end, quote, code, hint }) => ({
      start,
      end,
      quote,
      code,
      hint,
    })),
    conflicts: read.conflicts.map(({ field, spans }) => ({ field, spans: [...spans] })),
    coveragePips: read.coveragePips,
  }
}

/** Limits as sent. An omitted bound means no bound, as in a policy. */
export function limitsFromInput(limits: Partial<Input>, isWhole: boolean): StatedLimits {
  const given = spoken.filter((field) => field in limits)
  const unbounded = isWhole ? optional.filter((field) => !(field in limits)) : []
  const pointed = [...given, ...unbounded].map((field) => ({
    field,
    value: (limits as Record<string, unknown>)[field] ?? null,
    provenance: [{ pointer: `/payload/policy/${field}` }],
  }))
  return { text: null, values: pointed, unparsed: [], conflicts: [], coveragePips: 1_000_000 }
}

export interface Drafted {
  readonly payload: Payload
  readonly comparison: TermsComparison | null
}

/**
 * Builds a draft from the input. Values from the current policy and the vault are marked with their
 * source.
 */
export function draftOf(drafting: {
  readonly stated: StatedLimits
  readonly baseline: Payload['baseline']
  readonly vault: Vault
  readonly current: Policy | null
  /** Symbols for generating the limit text; null if unavailable. */
  readonly context: Pick<GrammarContext, 'base' | 'quote' | 'symbols'>
  readonly now: number
}): Drafted {
  const { stated, baseline, vault, current, context, now } = drafting
  const disputed = new Set(stated.conflicts.map(({ field }) => field))
  const fields = new Set(stated.values.map(({ field }) => field))
  const values = [...stated.values]
  const missing: string[] = []
  for (const field of spoken) {
    if (fields.has(field) || disputed.has(field)) continue
    if (baseline === 'CURRENT' && current) {
      const value = (current.payload as Record<string, unknown>)[field] ?? null
      values.push({ field, value, provenance: [{ baseline: refOf(current) }] })
    } else missing.push(field)
  }
  const ofVault = { provenance: [{ baseline: refOf(vault) }] }
  values.push({ field: 'vaultId', value: vault.id, ...ofVault })
  values.push({ field: 'controlEpoch', value: vault.payload.controlEpoch, ...ofVault })
  const isWhole = missing.length === 0 && disputed.size === 0 && stated.unparsed.length === 0
  const terms = isWhole ? termsOf(inputFrom(values)) : null
  return {
    payload: {
      vaultId: vault.id,
      baseline,
      text: stated.text,
      textHash: stated.text === null ? null : H('text/v1', { text: stated.text }),
      grammarVersion,
      extractor: stated.text === null ? 'STRUCTURED' : stated.suggestion ? 'MODEL' : 'GRAMMAR',
      ...(stated.suggestion ? { suggestion: stated.suggestion } : {}),
      values: values.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
      restated: terms ? restateTerms(terms, context) : [],
      unparsed: stated.unparsed,
      conflicts: stated.conflicts,
      missing,
      coveragePips: stated.coveragePips,
      candidate: terms && inputOf(terms),
      compilation: null,
      expiresAt: new Date(now + draftDays * dayMilliseconds).toISOString(),
    },
    comparison: terms && compareTerms(currentTerms(current, terms), terms),
  }
}

/** Baseline of a comparison: the current policy, else the empty policy. */
export const currentTerms = (current: Policy | null, terms: PolicyTerms): PolicyTerms =>
  current ? termsOf(current.payload) : bottomTerms(terms.vaultId, terms.controlEpoch)

const refOf = ({ id, resourceVersion }: Ref): Ref => ({ id, resourceVersion })

function inputFrom(values: readonly Value[]): Input {
  const members = values.flatMap(({ field, value }) => (value === null ? [] : [[field, value]]))
  // Every field is set at this point, in policy format.
  return Object.fromEntries(members) as Input
}
