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
    ...(question === null ? [] : [write`The question about ${title} was ${name('/question')}.`]),
    state === 'ABSTAINED'
      ? write`Of ${title}, which is ${phase}, nothing can be said: ${name('/reasons/0')}.`
      : write`What was found of ${title}, which is ${phase}, comes to ${name('/verdict')}.`,
    ...(state === 'PARTIAL'
      ? [write`That is not the whole of ${title}, because of ${name('/reasons/0')}.`]
      : []),
    write`${title} is neither approved nor refused by that: ${name('/statement')}`,
    ...areas.flatMap((area, index) => ofArea(area, `/areas/${index}`, write)),
    ...disagreements.slice(0, maxReported).map((_, index) => {
      const [code, first] = codeAndFigure(`/disagreements/${index}`)
      return write`Text and calls are apart: ${code}, of ${first}.`
    }),
    ...unanswered.slice(0, maxReported).map((_, index) => {
      const [code, first] = codeAndFigure(`/unanswered/${index}`)
      return write`It is not answered: ${code}, of ${first}.`
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
        ? [
            write`${area} could not be judged: ${name(`${first}/name`)} is ${name(`${first}/value`)}.`,
          ]
        : [
            write`${area} comes to ${name(`${at}/verdict`)}: ${name(`${first}/name`)} is ${name(`${first}/value`)}.`,
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
  if (since === null) return [write`${name('/about/0/value')} was not reviewed before.`]
  if (since.changes.length === 0) {
    return [write`Nothing of ${name('/about/0/value')} is other than at the review before.`]
  }
  return since.changes.slice(0, maxReported).map(({ before, after }, index) => {
    const at = `/since/changes/${index}`
    const [was, is] = [name(`${at}/before/value`), name(`${at}/after/value`)]
    const code = name(`${at}/code`)
    if (before && after) return write`Since the review before ${code} went from ${was} to ${is}.`
    return after
      ? write`Since the review before there is one more ${code}: ${is}.`
      : write`Since the review before there is one less: ${was}, which is ${code}.`
  })
}
