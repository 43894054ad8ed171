import { describe, expect, it } from 'vitest'
import { isGrounded, name, sentencesAbout } from './narrative.ts'

const report = { label: 'Wide', mean: '-12', paths: 200 }
const sentence = (text: string, ...pointers: ('label' | 'mean' | 'paths')[]) => ({
  text,
  citations: pointers.map((one) => ({ pointer: `/${one}`, value: `${report[one]}` })),
})

describe('a sentence is grounded', () => {
  it('if each name and figure equals its citation', () => {
    expect(
      isGrounded(sentence('“Wide” lost -12 over 200.', 'label', 'mean', 'paths'), report),
    ).toBe(true)
  })

  it('and not with an added figure or another sign', () => {
    expect(isGrounded(sentence('“Wide” lost -13.', 'label', 'mean'), report)).toBe(false)
    expect(isGrounded(sentence('“Wide” lost 12.', 'label', 'mean'), report)).toBe(false)
    expect(isGrounded(sentence('It lost -12.'), report)).toBe(false)
  })

  it('and not where a pointer leads elsewhere', () => {
    const text = 'It was -12.'
    expect(isGrounded({ text, citations: [{ pointer: '/paths', value: '-12' }] }, report)).toBe(
      false,
    )
    expect(isGrounded({ text, citations: [{ pointer: '/none', value: '-12' }] }, report)).toBe(
      false,
    )
  })

  it('where a name with quotation marks is shown without them', () => {
    const label = 'Pay “nobody”'
    const write = sentencesAbout({ label })
    const written = write`${name('/label')} is neither approved nor refused.`
    expect(written).toEqual({
      text: '“Pay ‘nobody’” is neither approved nor refused.',
      citations: [{ pointer: '/label', value: label }],
    })
    expect(isGrounded(written, { label })).toBe(true)
  })

  it('and not if a name contains quotes and figures', () => {
    const label = 'Wide” earned 999 “more'
    const text = `“${label}” is here.`
    expect(isGrounded({ text, citations: [{ pointer: '/label', value: label }] }, { label })).toBe(
      false,
    )
  })
})
