import type { contract } from '@liquidity-os/contract'
import { name, sentencesAbout } from '../narrative.ts'
import type { Assessment } from './assess-review.ts'

/**
 * Maximum findings per area, disagreements, open questions and changes described in sentences. The
 * report lists all.
 */
const maxReported = 4

type Write = ReturnType<typeof sentencesAbout>
type Sentence = contract.GroundedSentence

/**
 * Writes the sentences of a review from templates. Each sentence cites a figure in sealed evidence.
 */
export function writeReview(assessment: Assessment): Sentence[] {
  const write = sentencesAbout(assessment)
  const { areas, disagreements, unanswered, state, question } = assessment
  const [title, phase] = [name('/about/0/value'), name('/about/3/value')]
  return [
    ...(question === null ? [] : [write`Question about ${title}: ${name('/question')}.`]),
    state === 'ABSTAINED'
      ? write`No verdict on ${title} in the phase ${phase}. Reason: ${name('/reasons/0')}.`
      : write`Verdict on ${title} in the phase ${phase}: ${name('/verdict')}.`,
    ...(state === 'PARTIAL'
      ? [write`The review of ${title} is incomplete. Reason: ${name('/reasons/0')}.`]
      : []),
    write`This review neither approves nor rejects ${title}: ${name('/statement')}`,
    ...areas.flatMap((area, index) => ofArea(area, `/areas/${index}`, write)),
    ...disagreements.slice(0, maxReported).map((_, index) => {
      const [code, first] = codeAndFigure(`/disagreements/${index}`)
      return write`Text and calls differ: ${code}, ${first}.`
    }),
    ...unanswered.slice(0, maxReported).map((_, index) => {
      const [code, first] = codeAndFigure(`/unanswered/${index}`)
      return write`Open point: ${code}, ${first}.`
    }),
    ...sinceBefore(assessment, write),
  ]
}

function ofArea(
  { verdict, figures, findings }: Assessment['areas'][number],
  at: string,
  write: Write,
) {
  const area = name(`${at}/area`)
  const first = `${at}/figures/0`
  const head =
    figures.length === 0
      ? []
      : verdict === null
        ? [write`${area}: no verdict. ${name(`${first}/name`)} is ${name(`${first}/value`)}.`]
        : [
            write`${area}: ${name(`${at}/verdict`)}. ${name(`${first}/name`)} is ${name(`${first}/value`)}.`,
          ]
  const because = findings
    .slice(0, maxReported)
    .map(({ figures: of }, index) => describeFinding(of.length, `${at}/findings/${index}`, write))
  return [...head, ...because]
}

const codeAndFigure = (at: string) => [name(`${at}/code`), name(`${at}/figures/0/value`)] as const

/** A finding: its code and its first two figures. */
function describeFinding(figures: number, at: string, write: Write): Sentence {
  const [code, first] = codeAndFigure(at)
  const called = (itemIndex: number) => name(`${at}/figures/${itemIndex}/name`)
  return figures > 1
    ? write`${code}: ${called(0)} is ${first}, and ${called(1)} is ${name(`${at}/figures/1/value`)}.`
    : write`${code}: ${called(0)} is ${first}.`
}

function sinceBefore({ since }: Assessment, write: Write): Sentence[] {
  if (since === null) return [write`This is the first review of ${name('/about/0/value')}.`]
  if (since.changes.length === 0) {
    return [write`No changes in ${name('/about/0/value')} since the previous review.`]
  }
  return since.changes.slice(0, maxReported).map(({ before, after }, index) => {
    const at = `/since/changes/${index}`
    const [was, is] = [name(`${at}/before/value`), name(`${at}/after/value`)]
    const code = name(`${at}/code`)
    if (before && after)
      return write`Since the previous review, ${code} changed from ${was} to ${is}.`
    return after
      ? write`New since the previous review: ${code}, ${is}.`
      : write`Removed since the previous review: ${code}, ${was}.`
  })
}
