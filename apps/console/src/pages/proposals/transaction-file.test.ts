import { expect, it } from 'vitest'
import { transactionFile } from './transaction-file.ts'

const terms = {
  chainId: 1,
  safeAddress: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  title: 'Pay the auditor',
  createdAt: '2026-01-01T00:00:00Z',
  calls: [{ to: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', value: '1', data: '0x' }],
}

it('writes a batch of version 1.0 with every call', () => {
  expect(transactionFile(terms)).toMatchObject({
    version: '1.0',
    chainId: '1',
    createdAt: 1_767_225_600_000,
    meta: { name: 'Pay the auditor', createdFromSafeAddress: terms.safeAddress },
    transactions: [{ ...terms.calls[0], contractMethod: null, contractInputsValues: null }],
  })
})

it('covers everything except the name with the checksum', () => {
  const { checksum } = transactionFile(terms).meta
  expect(checksum).toMatch(/^0x[0-9a-f]{64}$/)
  expect(transactionFile({ ...terms, title: 'Other' }).meta.checksum).toBe(checksum)
  const others = [{ ...terms.calls[0], to: terms.safeAddress, value: '1', data: '0x' }]
  expect(transactionFile({ ...terms, calls: others }).meta.checksum).not.toBe(checksum)
})
