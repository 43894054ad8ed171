import { describe, expect, it } from 'vitest'
import { facts } from './page.ts'

describe('facts', () => {
  it('escape names and values alike', () => {
    const list = facts([['a<b>', '<script>alert("1 & 2")</script>']])
    expect(list).not.toMatch(/<script|<b>/)
    expect(list).toContain('<dt>a&lt;b&gt;</dt>')
    expect(list).toContain('<dd>&lt;script&gt;')
    expect(list).toContain('1 &amp; 2')
  })

  it('set a hash apart, and nothing that only begins or ends like one', () => {
    const hash = `0x${'0f'.repeat(32)}`
    expect(facts([['hash', hash]])).toContain(`<dd class="hash">${hash}</dd>`)
    expect(facts([['text', `${hash}0`]])).toContain(`<dd>${hash}0</dd>`)
    expect(facts([['text', `a ${hash}`]])).toContain(`<dd>a ${hash}</dd>`)
  })
})
