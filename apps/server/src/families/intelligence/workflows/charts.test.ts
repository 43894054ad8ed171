import { type contract, responseExamples } from '@liquidity-os/contract'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { expect, it } from 'vitest'
import type { Run } from './describe-figure.ts'
import drawRun from './pictures/draw-task.ts'

const examples = responseExamples as unknown as Record<string, { data: { payload: never } }>
// The examples are in the file of examples, as a test of all operations holds.
const run: Run = examples.getCompletedWorkflowRun!.data.payload
const { analysis }: contract.ProjectObservation = examples.getSavedProjectObservation!.data.payload

const textsOf = (drawn: Parameters<typeof drawRun>[0]) =>
  drawRun(drawn).map(({ picture }) =>
    picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : [])),
  )

it.each([[[analysis]], [[null]]])('keep their words apart and inside', (analyses) => {
  for (const { picture, columns, rows } of drawRun({ run, analyses })) {
    expect(misplacedTexts(picture)).toEqual([])
    expect(picture.description).not.toMatch(/undefined|null|NaN/)
    for (const row of rows) expect(row).toHaveLength(columns.length)
  }
})

it('say amounts in the token and shares in per cent; in atoms where its observation is not there', () => {
  const [total = [], pools = []] = textsOf({ run, analyses: [analysis] })
  expect(total).toEqual(expect.arrayContaining(['1 ENS', '24.3227 ENS']))
  expect(pools).toEqual(expect.arrayContaining(['4.2879 %', '99.9001 %', '23.3217 ENS']))
  const [bare = []] = textsOf({ run, analyses: [null] })
  expect(bare).toContain('1,000,000,000,000,000,000 atoms')
})

it('say why where a run came to nothing', () => {
  const abstained: Run = { ...run, state: 'ABSTAINED', reasons: ['NO_POOL'], sections: [] }
  expect(textsOf({ run: abstained, analyses: [analysis] }).flat()).toContain('NO_POOL')
})
