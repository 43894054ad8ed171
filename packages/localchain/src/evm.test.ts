import { describe, expect, it } from 'vitest'
import { assemble } from './evm.ts'

describe('assemble', () => {
  it('pushes the shortest constant that holds the value', () => {
    expect(assemble([0, 255, 256])).toBe('0x600060ff610100')
  })

  it('resolves a label that follows its use', () => {
    expect(assemble([{ offsetOf: 'later' }, 'JUMP', { at: 'later' }, 'STOP'])).toBe(
      '0x610004565b00',
    )
  })

  it('refuses a label that is never defined', () => {
    expect(() => assemble([{ offsetOf: 'nowhere' }])).toThrow('nowhere')
  })
})
