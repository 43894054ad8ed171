import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { printTestNetworks } from '../bin/print-test-networks.ts'

test('the committed test networks are those of the pinned chain definitions', () => {
  const file = '../../../packages/contract/src/generated/test-networks.json'
  expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toBe(printTestNetworks())
})
