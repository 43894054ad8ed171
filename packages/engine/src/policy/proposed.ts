import {
  gatherValues,
  hedges,
  readStatement,
  refuseHidden,
  type SaidValue,
  significant,
} from './grammar.ts'
import type { GrammarContext, ReadText, RefusalCode, Refused } from './grammar-types.ts'
import { isIdle } from './said-shape.ts'
import { differenceOf } from './same-said.ts'
import { type Span, splitText } from './statements.ts'

/** A grammar sentence proposed for part of a text. */
export interface Proposal {
  /** Which readable statement of the text it is made of, from 1. */
  readonly number: number
  /** Verbatim excerpt from the statement, the source of the sentence. */
  readonly quote: string
  readonly sentence: string
}

export interface JudgedProposal extends Proposal {
  /**
   * Position of the quote in the text. Null unless the statement contains it exactly once, as whole
   * words.
   */
  readonly at: Pick<Span, 'start' | 'end'> | null
  readonly outcome: 'READ' | 'QUOTE_NOT_FOUND' | RefusalCode
}

export interface ReadProposals extends ReadText {
  readonly judged: readonly JudgedProposal[]
}

/** Statements of a text that can be sent to a model: without comments and hidden characters. */
export function readableStatements(text: string): readonly Span[] {
  const { statements, hidden } = splitText(text)
  return statements.filter(
    ({ start, end }) => !hidden.some((one) => one.start >= start && one.end <= end),
  )
}

/**
 * Reads limits from sentences proposed for parts of a text. A sentence counts only if the grammar
 * parses it and its quoted words have the same meaning. The rest of its statement must be
 * understood as well. All other sentences are rejected. The result lists words without an accepted
 * sentence or without any proposal.
 *
 * @param text original user text; offsets are its UTF-16 code units
 * @param proposals from an untrusted author
 */
export function readProposals(
  text: string,
  proposals: readonly Proposal[],
  context: GrammarContext,
): ReadProposals {
  const { statements, hidden } = splitText(text)
  const readable = readableStatements(text)
  const placed = proposals.map((proposal) => placeOf(proposal, readable))
  const alone = placed.map(
    (span, place) => span && readProposal(span, placed, proposals[place]?.sentence ?? '', context),
  )
  const outcomes = readable.reduce(refuseBroken, alone)
  const refused = outcomes.filter((outcome) => outcome !== null && 'code' in outcome)
  const values = outcomes.flatMap((outcome) => (outcome && !('code' in outcome) ? [outcome] : []))
  const taken = values.map(({ span }) => span)
  const said = values.flatMap(({ said }) => said)
  const missed = unread(statements, taken).reduce((sum, { quote }) => sum + significant(quote), 0)
  const total = [...statements, ...hidden].reduce((sum, { quote }) => sum + significant(quote), 0)
  const left = unread(readable, [...taken, ...refused]).map((span) => ({
    ...span,
    code: 'NOT_PROPOSED' as const,
    hint: 'no policy sentence was proposed for this text',
  }))
  return {
    ...gatherValues(said),
    refused: [...hidden.map(refuseHidden), ...refused, ...left].toSorted(
      (a, b) => a.start - b.start,
    ),
    coveragePips: total === 0 ? 1_000_000 : Math.floor(((total - missed) * 1_000_000) / total),
    judged: proposals.map((proposal, place) => {
      const [span, outcome] = [placed[place], outcomes[place]]
      if (!span || !outcome) return { ...proposal, at: null, outcome: 'QUOTE_NOT_FOUND' }
      const at = { start: span.start, end: span.end }
      return { ...proposal, at, outcome: 'code' in outcome ? outcome.code : 'READ' }
    }),
  }
}

/** Position of a quote in its statement. The quote must occur once, as whole words and figures. */
function placeOf({ number, quote }: Proposal, readable: readonly Span[]): Span | null {
  const statement = readable[number - 1]
  if (!statement || quote.trim() !== quote || quote === '') return null
  const at = statement.quote.indexOf(quote)
  if (at < 0 || statement.quote.indexOf(quote, at + 1) >= 0) return null
  const before = statement.quote.slice(0, at)
  const after = statement.quote.slice(at + quote.length)
  const isWhole = /(?:^|[\s(“":])$/.test(before) && /^(?:$|[\s;:!?)”"]|[.,](?!\d))/.test(after)
  const start = statement.start + at
  return isWhole ? { start, end: start + quote.length, quote } : null
}

type ProposalOutcome = { readonly span: Span; readonly said: readonly SaidValue[] } | Refused

function readProposal(
  span: Span,
  placed: readonly (Span | null)[],
  sentence: string,
  context: GrammarContext,
): ProposalOutcome {
  const refuse = (code: RefusalCode, hint: string): Refused => ({ ...span, code, hint })
  const shared = placed.filter((one) => one && one.start < span.end && span.start < one.end)
  if (shared.length > 1) return refuse('NOT_SAID', 'several sentences use the same words')
  if (hedges.test(span.quote)) {
    return refuse('HEDGED_STATEMENT', 'state the limit without a hedge')
  }
  const { statements, hidden } = splitText(sentence)
  const [only] = statements
  if (!only || only.quote !== sentence.trim().replace(/\.$/, '') || hidden.length > 0) {
    return refuse('UNPARSED_SPAN', 'the proposal is not one policy sentence')
  }
  const outcome = readStatement(only, context)
  if ('code' in outcome) return refuse(outcome.code, outcome.hint)
  const { ruleId, found } = outcome
  for (const [field] of found) {
    const difference = differenceOf(span.quote, only.quote, field, context)
    if (difference !== null) return refuse('NOT_SAID', difference)
  }
  const said = found.map(([field, value]) => ({ field, value, span: { ...span, ruleId } }))
  return { span, said }
}

/**
 * Rejects all values of a statement that is not fully understood: the rest could reverse its
 * meaning.
 */
function refuseBroken(
  outcomes: readonly (ProposalOutcome | null)[],
  statement: Span,
): (ProposalOutcome | null)[] {
  const isIn = ({ start, end }: Span) => start >= statement.start && end <= statement.end
  const placeIn = (outcome: ProposalOutcome) => ('code' in outcome ? outcome : outcome.span)
  const own = outcomes.flatMap((outcome) => (outcome && isIn(placeIn(outcome)) ? [outcome] : []))
  const hint = own.some((outcome) => 'code' in outcome)
    ? 'another part of this statement was rejected'
    : breakIn(statement, own.map(placeIn))
  if (hint === null) return [...outcomes]
  return outcomes.map((outcome) =>
    outcome && !('code' in outcome) && isIn(outcome.span)
      ? { ...outcome.span, code: 'NOT_SAID', hint }
      : outcome,
  )
}

/** A verb before its subject, which marks a question even without a question mark. */
const questions = /^(?:is|are|has|have|must)\b|\b(?:is|are|must)\s+(?:it|this|we)\b/i

/** Why the quotes of a statement do not cover its full meaning; null if they do. */
function breakIn(statement: Span, quotes: readonly Span[]): string | null {
  if (unread([statement], quotes).length > 0) return 'part of this statement is not covered'
  if (questions.test(statement.quote)) return 'this statement may be a question'
  const sorted = quotes.toSorted((a, b) => a.start - b.start)
  const gaps = sorted.slice(1).map(({ start }, place) => {
    const from = sorted[place]?.end ?? start
    return statement.quote.slice(from - statement.start, start - statement.start)
  })
  if (gaps.some((gap) => !/,|\band\b/i.test(gap))) {
    return 'no comma or “and” separates it from the rest of the statement'
  }
  const denying = quotes.filter(({ quote }) => /\b(?:no|not|never)\b|n['’]t\b/i.test(quote)).length
  return denying === 0 || denying === quotes.length
    ? null
    : 'a negation in one part of the statement may apply to the other parts'
}

/**
 * Parts of statements outside of the spans. Ignores idle words, white space, commas, colons and
 * “and”.
 */
function unread(statements: readonly Span[], spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  return statements.flatMap(({ start, end, quote }) => {
    const parts: Span[] = []
    let from = start
    const close = (to: number) => {
      const words = quote.slice(from - start, Math.max(from, to) - start)
      const lead = /^(?:[\s,:.]|and(?!\S))*/i.exec(words)?.[0].length ?? 0
      const rest = words.slice(lead).replace(/(?:[\s,:.]|(?<!\S)and)+$/i, '')
      const at = from + lead
      if (!isIdle(rest)) parts.push({ start: at, end: at + rest.length, quote: rest })
    }
    for (const span of sorted) {
      if (span.start < start || span.end > end) continue
      close(span.start)
      from = Math.max(from, span.end)
    }
    close(end)
    return parts
  })
}
