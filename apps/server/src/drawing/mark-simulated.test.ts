import { type Picture, textAt } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { markSimulated, simulatedIn } from './mark-simulated.ts'

const pictureOf = (width: number): Picture => ({
  id: 'depth',
  title: 'Depth',
  description: 'Depth by distance from the price.',
  width,
  height: 100,
  shapes: [textAt(8, 90, 'Depth', { size: 11 })],
})

describe('a picture of a local or test chain', () => {
  it.each([760, 280])('says so below its figures at a width of %d', (width) => {
    const drawn = pictureOf(width)
    const marked = markSimulated(drawn, simulatedIn({ atoms: 1n, pair: { chainId: 11_155_111 } }))
    const texts = marked.shapes
      .slice(drawn.shapes.length)
      .flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    expect(texts.join(' ')).toBe('SIMULATED · Test network Sepolia: simulated market')
    expect(marked.description).toMatch(/^SIMULATED · Test network Sepolia: simulated market\. /)
    expect(unreadable(marked)).toEqual([])
  })

  it('is distinguished from an unchanged file of a main network', () => {
    const drawn = pictureOf(280)
    expect(markSimulated(drawn, simulatedIn({ atoms: 1n, pair: { chainId: 1 } }))).toBe(drawn)
  })
})
