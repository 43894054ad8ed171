import { type contract, responseExamples } from '@liquidity-os/contract'
import { screenPaper } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { expect, it } from 'vitest'
import { drawEffects } from './draw-effects.ts'

const examples = responseExamples as unknown as Record<string, { data: { payload: unknown } }>
// The example is in the file of examples, as a test of all operations holds.
const proposal = examples.getProposals!.data.payload as contract.ProposalWorkspace

it.each([280, 600, 760])('shows every digit that an asset would move on %i pixels', (width) => {
  const asset = `0x${'ab'.repeat(20)}`
  const moved = [`-${'123'.repeat(20)}`, '456'.repeat(20)]
  const effects = moved.map((delta) => ({ asset, delta, expected: null, isWithin: false }))
  const simulation = { ...proposal.simulation, effects }
  const { picture } = drawEffects({ ...proposal, simulation }, screenPaper(width))
  const text = picture.shapes.map((shape) => ('text' in shape ? shape.text : '')).join('')
  expect(text.replaceAll(',', '')).toContain(`−${'123'.repeat(20)}`)
  expect(text.replaceAll(',', '')).toContain('456'.repeat(20))
  expect(unreadable(picture)).toEqual([])
})
