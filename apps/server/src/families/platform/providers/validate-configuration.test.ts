import { expect, it } from 'vitest'
import { addressHint } from './validate-configuration.ts'

it('explains an address that is not called, also for a provider without an endpoint', () => {
  expect(addressHint('https://node.example')).toMatch(/^was not called: .*OUTBOUND_ALLOW/)
  expect(addressHint(null)).toMatch(/^was not called: .*check the RPC provider of its chain$/)
})
