import type { contract } from '@liquidity-os/contract'
import { figure, name, sentencesAbout } from '../narrative.ts'
import type { Assessment } from './assess-project.ts'

/**
 * Maximum findings per section and maximum changes described in sentences. The report lists all.
 */
const [maxFindings, maxChanges] = [3, 4]

type Write = ReturnType<typeof sentencesAbout>
type Sentence = contract.GroundedSentence

/** Writes the sentences of a report from templates. All values originate in the assessment. */
export function writeProject(assessment: Assessment): Sentence[] {
  const write = sentencesAbout(assessment)
  const { conclusions, changes, observations, state, question } = assessment
  return [
    ...(question === null ? [] : [write`Question: ${name('/question')}.`]),
    write`Token: ${name('/assetKey')}. Data: ${name('/statement')}.`,
    ...observations.map(
      (_, index) =>
        write`Observation ${figure(`/observations/${index}/version`)}: ${name(`/observations/${index}/state`)}, block ${figure(`/observations/${index}/blocks/0/number`)}.`,
    ),
    ...(state === 'COMPLETED'
      ? []
      : [write`State: ${name('/state')}. Reason: ${name('/reasons/0')}.`]),
    ...conclusions.flatMap((conclusion, index) =>
      ofConclusion(conclusion, `/conclusions/${index}`, write),
    ),
    ...changes.slice(0, maxChanges).map(({ before, after }, index) => {
      const at = `/changes/${index}`
      const [pointer, kind] = [name(`${at}/pointer`), name(`${at}/kind`)]
      return before !== null && after !== null
        ? write`${pointer}: ${kind}, ${name(`${at}/before`)} before, ${name(`${at}/after`)} after.`
        : write`${pointer}: ${kind}, ${name(`${at}/${before === null ? 'after' : 'before'}`)}.`
    }),
  ]
}

function ofConclusion(
  { sections, versions }: Assessment['conclusions'][number],
  at: string,
  write: Write,
): Sentence[] {
  return sections.flatMap(({ findings }, section) =>
    findings.slice(0, maxFindings).map(({ figures }, index) => {
      const found = `${at}/sections/${section}/findings/${index}`
      const of = (number: number, member: string) => name(`${found}/figures/${number}/${member}`)
      const code = name(`${found}/code`)
      const whose = figure(`${at}/versions/0`)
      const isOfTwo = versions.length > 1
      if (figures.length === 0) return write`Observation ${whose}: ${code}.`
      if (figures.length === 1 || !isOfTwo) {
        return write`Observation ${whose}: ${code}, ${of(0, 'name')} is ${of(0, 'value')} ${of(0, 'unit')}.`
      }
      return write`Observations ${whose} and ${figure(`${at}/versions/1`)}: ${code}, ${of(0, 'value')} ${of(0, 'unit')} and ${of(1, 'value')} ${of(1, 'unit')}.`
    }),
  )
}
