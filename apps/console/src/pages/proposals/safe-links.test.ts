import { expect, it } from 'vitest'
import { builderLink } from './safe-links.ts'

const safe = '0x1111111111111111111111111111111111111111'

it('opens the Transaction Builder of Safe{Wallet} for a Safe', () => {
  expect(builderLink(8453, safe)).toBe(
    `https://app.safe.global/apps/open?safe=base:${safe}&appUrl=https%3A%2F%2Fapps-portal.safe.global%2Ftx-builder`,
  )
})

it('has no link on a chain without Safe{Wallet}', () => {
  expect(builderLink(31_337, safe)).toBeNull()
})
