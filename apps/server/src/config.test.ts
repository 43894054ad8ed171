import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ConfigurationError, formerNameWarnings, readConfig } from './config.ts'
import { openDatabase } from './context.ts'
import { startService } from './service.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

const configOf = (environment: Record<string, string>) =>
  readConfig({ NODE_ENV: 'development', PORT: '0', DATA_DIR: newFolder(), ...environment })

it('a database that does not answer is named, without its password', async () => {
  const url = `postgres://somebody:hunter2@127.0.0.1:${await closedPort()}/liquidity`
  const refused = openDatabase(configOf({ DATABASE_URL: url }))
  await expect(refused).rejects.toThrow(ConfigurationError)
  await expect(refused).rejects.toThrow(
    /DATABASE_URL must .*127\.0\.0\.1:\d+\/liquidity .*Example: /,
  )
  await expect(refused).rejects.not.toThrow('hunter2')
})

it('a data directory that is a file, or that holds keys of another form, is named', () => {
  const folder = newFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => configOf({ DATA_DIR: file })).toThrow(/DATA_DIR must .*Example: DATA_DIR=/)
  for (const text of ['{', '{}', 'null', '{"accessToken":"x","sealing":"y"}']) {
    const directory = join(folder, `keys-${text.length}`)
    mkdirSync(directory)
    writeFileSync(join(directory, 'keys.json'), text)
    expect(() => configOf({ DATA_DIR: directory })).toThrow(/keys\.json must hold the keys/)
  }
})

it('keys are made once, for their owner only, and kept', () => {
  const directory = join(newFolder(), 'new')
  const first = configOf({ DATA_DIR: directory })
  const second = configOf({ DATA_DIR: directory })
  expect(second.sealingKeys).toEqual(first.sealingKeys)
  expect(second.accessTokenKeys).toEqual(first.accessTokenKeys)
  expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600)
})

it('a host that is not of this machine is named', async () => {
  const config = configOf({ HOST: '203.0.113.7', WORKER: 'none', LOG_LEVEL: 'silent' })
  await expect(startService(config)).rejects.toThrow(/HOST must .*203\.0\.113\.7/)
})

it('a budget is given once for each scope', () => {
  const budgets = (text: string) => configOf({ SERVICE_BUDGETS: text }).budgets
  expect(budgets('studies:read=5,studies:write=6')).toEqual({
    'studies:read': 5,
    'studies:write': 6,
  })
  expect(() => budgets('studies:read=5,studies:read=6')).toThrow(/SERVICE_BUDGETS must/)
})

it('a provider of identities is one of a single organization, and is not named without the client', () => {
  const trusting = (OPENID_ISSUER: string) =>
    configOf({ OPENID_ISSUER, OPENID_CLIENT_ID: 'liquidity-os' }).openId
  expect(trusting('https://login.example.org')?.name).toBe('login.example.org')
  expect(trusting('http://127.0.0.1:8090')).not.toBeNull()
  const tenants = 'https://login.microsoftonline.com'
  for (const issuer of [`${tenants}/common/v2.0`, `${tenants}/organizations/v2.0`]) {
    expect(() => trusting(issuer)).toThrow(/OPENID_ISSUER must be/)
  }
  for (const issuer of ['http://login.example.org', 'login.example.org']) {
    expect(() => trusting(issuer)).toThrow(/OPENID_ISSUER must be/)
  }
  expect(() => configOf({ OPENID_ISSUER: 'https://login.example.org' })).toThrow(/OPENID_CLIENT_ID/)
})

it('a publicly served file requires its hash', () => {
  const [path, sha256] = ['/etc/liquidity/plans.json', 'ab'.repeat(32)]
  expect(() => configOf({ PLANS_FILE: path })).toThrow(/PLANS_SHA256 is required with PLANS_FILE/)
  expect(() => configOf({ ACP_OFFERING_FILE: path, ACP_OFFERING_SHA256: 'AB' })).toThrow(
    /ACP_OFFERING_SHA256 must be the SHA-256 of ACP_OFFERING_FILE/,
  )
  const { plansFile, acpOfferingFile } = configOf({ PLANS_FILE: path, PLANS_SHA256: sha256 })
  expect({ plansFile, acpOfferingFile }).toEqual({
    plansFile: { path, sha256 },
    acpOfferingFile: null,
  })
})

it('a witness of the log is a key of cosignatures and a URL, each once', () => {
  const key = 'BDtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop'
  const one = `witness.example.org+173386f4+${key} https://witness.example.org/`
  const witnesses = (text: string) => configOf({ LOG_WITNESSES: text }).logWitnesses
  expect(witnesses('')).toEqual([])
  expect(witnesses(one)).toEqual([
    {
      name: 'witness.example.org',
      keyId: '173386f4',
      publicKey: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=',
      url: 'https://witness.example.org',
    },
  ])
  for (const wrong of [
    ...[`${one},${one}`, one.replace('173386f4', '173386f5'), one.replace('+BDtq', '+ADtq')],
    ...[one.replace(' ', ''), one.replace('https:', 'ftp:'), `${one} more`],
  ]) {
    expect(() => witnesses(wrong), wrong).toThrow(/LOG_WITNESSES must/)
  }
})

it('accepts the former name of a variable, warns, and refuses two values', () => {
  const former = { ORGANIZATION_BYTES_MOST: '5000' }
  expect(configOf(former).maxOrganizationBytes).toBe(5000)
  expect(formerNameWarnings(former)).toEqual([
    'ORGANIZATION_BYTES_MOST is now MAX_ORGANIZATION_BYTES. Set MAX_ORGANIZATION_BYTES instead; a later version removes the former name.',
  ])
  const both = { ...former, MAX_ORGANIZATION_BYTES: '5000' }
  expect(configOf(both).maxOrganizationBytes).toBe(5000)
  expect(() => configOf({ ...both, MAX_ORGANIZATION_BYTES: '6000' })).toThrow(
    'MAX_ORGANIZATION_BYTES and its former name ORGANIZATION_BYTES_MOST differ: "6000" and "5000"',
  )
  expect(formerNameWarnings({ MAX_ORGANIZATION_BYTES: '5000' })).toEqual([])
})

it('chain offers have a name and an endpoint that contains no key', () => {
  const offers = (text: string) => configOf({ CHAIN_OFFERS: text }).chainOffers
  const rpc = 'https://rpc.example.org/v1/eth'
  expect(offers(`1 Ethereum ${rpc}, 31337 Demo chain http://127.0.0.1:8545`)).toEqual([
    { chainId: 1, name: 'Ethereum', endpoint: rpc },
    { chainId: 31337, name: 'Demo chain', endpoint: 'http://127.0.0.1:8545' },
  ])
  expect(offers('')).toEqual([])
  const token = '0123456789abcdef0123456789abcdef'
  for (const [text, cause] of [
    [`1 ${rpc}`, 'chain 1 lacks an ID, a name or a URL'],
    [`x Ethereum ${rpc}`, 'chain 1 has no valid chain ID'],
    [`1 Ethereum ${rpc},1 Again ${rpc}`, 'chain 2 repeats the chain ID 1'],
    ['1 Ethereum wss://rpc.example.org', 'chain 1 has no http or https URL'],
    ['1 Ethereum https://user:pass@rpc.example.org', 'user information'],
    ['1 Ethereum https://rpc.example.org/?apikey=1', 'query or fragment'],
    [`1 Ethereum https://rpc.example.org/v3/${token}`, 'seems to contain a key'],
    [`1 Ethereum https://${token}.rpc.example.org`, 'seems to contain a key'],
  ] as const) {
    expect(() => offers(text)).toThrow(`Got "(hidden)": ${cause.includes('chain') ? cause : ''}`)
    expect(() => offers(text)).toThrow(cause)
    expect(() => offers(text)).not.toThrow(token)
  }
})
