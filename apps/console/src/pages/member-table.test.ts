import { expect, it } from 'vitest'
import { lastOwnerRefusal } from './member-table.tsx'

const ann = { email: 'ann@example.org', role: 'OWNER', status: 'ACTIVE' } as const
const bob = { email: 'bob@example.org', role: 'ANALYST', status: 'ACTIVE' } as const

it('refuses to remove or demote the last owner', () => {
  expect(lastOwnerRefusal([ann, bob], ann)).toMatch(/^Last owner/)
  expect(lastOwnerRefusal([ann, bob], bob)).toBeNull()
  expect(lastOwnerRefusal([ann, { ...bob, role: 'OWNER' }], ann)).toBeNull()
})

it('does not count an invited owner', () => {
  const invited = { ...bob, role: 'OWNER', status: 'PENDING' } as const
  expect(lastOwnerRefusal([ann, invited], ann)).toMatch(/^Last owner/)
  expect(lastOwnerRefusal([ann, invited], invited)).toBeNull()
})
