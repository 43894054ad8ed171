import { expect, it } from 'vitest'
import { contrastOf } from './contrast.ts'

it('is the ratio of WCAG 2.2, rounded down', () => {
  expect(contrastOf('#000000').onWhiteX100).toBe(2100)
  expect(contrastOf('#ffffff').onWhiteX100).toBe(100)
  // 4.478…, which many tools print as 4.48.
  expect(contrastOf('#777777').onWhiteX100).toBe(447)
})
