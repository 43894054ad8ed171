// @module-tag long
// @module-tag postgres
// @covers apps/server/src/cli

import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  migratedDeployment,
  newDeployment,
  run,
  runningDeployment,
  runProcess,
} from './support/processes.ts'

const onPostgres = Boolean(process.env.DATABASE_URL)

let deployment: Awaited<ReturnType<typeof runningDeployment>>
beforeAll(async () => {
  deployment = await runningDeployment()
})
afterAll(() => deployment?.stop())

const cli = (...args: string[]) => run(args, deployment.environment)

let made = 0

/** A new organization, whose owner nobody else has. */
async function newOrganization() {
  made += 1
  const [id, owner] = [`org_ens_${made}`, `Ada${made}@Example.org`]
  const created = await cli('org', 'create', 'ENS DAO', '--owner', owner, '--id', id, '--json')
  return { id, owner: owner.toLowerCase(), created, inOrg: ['--organization', id] as const }
}

/** Has a process tell, at its end, every file that it loaded. */
const tellsLoaded = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.error(loaded.join('\\n')))
`)}`

const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout)

describe('liquidity', () => {
  it.each([['--version'], ['member', 'list', '--organization', 'org_none']])(
    'loads no service if another process or no process does the work: %s',
    async (...args) => {
      const environment = { ...deployment.environment, NODE_OPTIONS: tellsLoaded }
      const { stderr } = await runProcess(args, environment)
      const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'))
      expect(loaded.some((url) => url.endsWith('/cli/main.ts'))).toBe(true)
      const ofService =
        /\/src\/families\/|\/src\/service\.ts|\/src\/http\/|\/node_modules\/(ajv|typebox)\//
      // On PostgreSQL a command asks the database itself.
      const isAlone = onPostgres && args[0] === 'member'
      expect(loaded.some((url) => ofService.test(url))).toBe(isAlone)
    },
  )

  it('administers members, as text and as JSON', async () => {
    const { created, id, owner, inOrg } = await newOrganization()
    expect(created.status).toBe(0)
    expect(json(created)).toMatchObject({
      organizationId: id,
      owner: { email: owner, role: 'OWNER' },
    })
    const added = await cli('member', 'add', 'grace@example.org', ...inOrg)
    expect([added.status, added.stdout]).toEqual([0, 'grace@example.org is now VIEWER.\n'])
    const raised = await cli('member', 'role', 'grace@example.org', ...inOrg, '--role', 'ANALYST')
    expect(raised.stdout).toBe('grace@example.org is now ANALYST.\n')
    const listed = await cli('member', 'list', ...inOrg, '--json')
    expect(json(listed).members).toMatchObject([
      { email: owner, role: 'OWNER' },
      { email: 'grace@example.org', role: 'ANALYST' },
    ])
    const removed = await cli('member', 'remove', 'grace@example.org', ...inOrg, '--json')
    expect(json(removed)).toEqual({
      removed: 'grace@example.org',
      email: 'grace@example.org',
      userId: expect.any(String),
      revoked: [],
      paused: [],
      unchanged: [],
    })
    const text = await cli('member', 'list', ...inOrg)
    expect(text.stdout).toBe(`OWNER           ${owner}\n`)
  })

  it('seals a secret from its input, and refuses one that no header can carry', async () => {
    const { id } = await newOrganization()
    const seal = (input: string, organization = id, command = run) =>
      command(
        ['secret', 'seal', '--organization', organization, '--host', 'rpc.example.com'],
        deployment.environment,
        input,
      )
    const sealed = await seal('s3cret\n', id, runProcess)
    expect(sealed.status).toBe(0)
    expect(sealed.stdout).toMatch(/^sealed:[\w-]+\.[\w-]+\n$/)
    expect(sealed.stdout).not.toContain('s3cret')
    expect((await seal('two words')).stderr).toContain('The secret must have 1 to 800 visible')
    expect((await seal('s3cret', 'org_none')).status).toBe(1)
  })

  it('keeps the last owner', async () => {
    const { owner, inOrg } = await newOrganization()
    for (const [args, message] of [
      [['member', 'remove', owner], 'The last owner cannot leave.\n'],
      [
        ['member', 'role', owner, '--role', 'VIEWER'],
        'The last owner cannot give up the owner role.\n',
      ],
    ] as const) {
      const refused = await cli(...args, ...inOrg)
      expect([refused.status, refused.stderr]).toEqual([1, message])
    }
    await cli('member', 'add', 'grace@example.org', ...inOrg, '--role', 'OWNER')
    expect((await cli('member', 'remove', owner, ...inOrg)).status).toBe(0)
  })

  it('prints a sign-in link that the service takes', async () => {
    const { owner } = await newOrganization()
    const linked = await cli('session', 'link', owner)
    expect(linked.stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/auth\/sign-in#[\w-]{43}\nWorks once, until /,
    )
    const unknown = await cli('session', 'link', 'nobody@example.org')
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      'User nobody@example.org does not exist. Add the user: liquidity member add\n',
    ])
    const redeemed = await fetch(`${deployment.baseUrl}/auth/email-links/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: linked.stdout.split('#')[1]!.split('\n')[0] }),
    })
    expect(redeemed.status).toBe(200)
  })

  it('reports the storage of organizations, and raises the quota of one', async () => {
    const { environment } = await newDeployment({ MAX_ORGANIZATION_BYTES: '1000' })
    const named = ['--id', 'org_kept', '--owner', 'a@b.org']
    await run(['migrate'], environment)
    await run(['org', 'create', 'Kept', ...named], environment)
    const usage = async () => (await run(['org', 'usage'], environment)).stdout
    expect(await usage()).toMatch(
      /^ORGANIZATION +USED +QUOTA +SHARE +MEASURED +NAME\norg_kept +0 +1000 +0\.0 % +never +Kept\n$/,
    )
    const limit = ['org', 'limit', '5000', '--organization', 'org_kept', '--json']
    const of = { organizationId: 'org_kept', keptBytes: 0, mostBytes: 5000, isOwn: true }
    expect(json(await run(limit, environment))).toMatchObject({ organizations: [of] })
    expect(await usage()).toContain('5000 (its own)')
  })

  it('migrates once, and says so', async () => {
    const { environment } = await newDeployment()
    const first = await run(['migrate', '--json'], environment)
    expect(json(first).applied.length).toBeGreaterThanOrEqual(1)
    const second = await run(['migrate'], environment)
    expect([second.status, second.stdout]).toEqual([0, 'The schema is up to date.\n'])
  })

  it('reports the mistake and the expected value without internals', async () => {
    const { id, inOrg } = await newOrganization()
    for (const [args, status, message] of [
      [['member', 'list'], 1, /required option '--organization <id>'/],
      [
        ['member', 'add', 'x@y.org', ...inOrg, '--role', 'KING'],
        1,
        /OWNER, OPERATOR, TREASURY_ADMIN/,
      ],
      [['member', 'add', 'nobody', ...inOrg], 1, /^nobody is not an email address\.\n$/],
      [
        ['member', 'add', 'x@y.org', '--organization', 'org_none'],
        1,
        /^Organization org_none does not exist\.\n$/,
      ],
      [
        ['member', 'list', '--organization', 'org_none'],
        1,
        /^Organization org_none does not exist\.\n$/,
      ],
      [['member', 'remove', 'x@y.org', ...inOrg], 1, /^x@y\.org is not a member\.\n$/],
      [
        ['org', 'create', 'Twice', '--owner', 'a@b.org', '--id', id],
        1,
        /^The organization org_ens_\d+ already exists\.\n$/,
      ],
      [
        ['org', 'create', 'Bad', '--owner', 'a@b.org', '--id', 'a b'],
        1,
        /An organization ID must have 3 to 80/,
      ],
      [
        ['org', 'limit', '0', ...inOrg],
        1,
        /<bytes> is a whole number from 1 .* or default; got "0"/,
      ],
      [
        ['org', 'limit', '5', ...inOrg],
        1,
        /^An organization quota requires MAX_ORGANIZATION_BYTES/,
      ],
      [['org', 'usage', '--most', 'all'], 1, /--most is a whole number from 1 .* got "all"/],
      [['org', 'create', 'Bad'], 1, /required option '--owner <email>'/],
      [
        ['webhook', 'resend', 'event_none', ...inOrg],
        1,
        /^No delivery has the message event_none\.\n$/,
      ],
      [
        ['verify-history', '--organization', 'org_none'],
        1,
        /^Organization org_none does not exist\.\n$/,
      ],
      [['unheard-of'], 1, /unknown command 'unheard-of'/],
    ] as const) {
      const refused = await cli(...args)
      expect([args, refused.status]).toEqual([args, status])
      expect(refused.stderr).toMatch(message)
      expect(refused.stderr).not.toMatch(/\n\s+at /)
      expect(refused.stdout).toBe('')
    }
  })

  it('is a program that ends with its status and says its mistake on the other stream', async () => {
    const { id, inOrg } = await newOrganization()
    const { environment } = deployment
    const listed = await runProcess(['member', 'list', ...inOrg, '--json'], environment)
    expect([listed.status, json(listed).members.length, listed.stderr]).toEqual([0, 1, ''])
    const mistaken = ['org', 'create', 'Twice', '--owner', 'a@b.org', '--id', id]
    expect(await runProcess(mistaken, environment)).toEqual({
      status: 1,
      stdout: '',
      stderr: `The organization ${id} already exists.\n`,
    })
    const unknown = await runProcess(['unheard-of'], environment)
    expect([unknown.status, unknown.stdout]).toEqual([1, ''])
    const help = await runProcess(['--help'], {})
    expect([help.status, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toMatch(/^Usage: liquidity/)
  })

  it('administers a deployment that does not run', async () => {
    const { environment } = await migratedDeployment()
    const named = ['--id', 'org_idle', '--json']
    const created = await run(
      ['org', 'create', 'Idle', '--owner', 'a@b.org', ...named],
      environment,
    )
    expect(json(created)).toMatchObject({ organizationId: 'org_idle' })
    const listed = await runProcess(['member', 'list', '--organization', 'org_idle'], environment)
    expect(listed).toEqual({ status: 0, stdout: 'OWNER           a@b.org\n', stderr: '' })
    const refused = await run(['member', 'list', '--organization', 'org_none'], environment)
    expect(refused).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Organization org_none does not exist.\n',
    })
  })

  it('explains every command', async () => {
    for (const args of [
      [],
      ['serve'],
      ['worker'],
      ['migrate'],
      ['org', 'create'],
      ['member', 'add'],
      ['member', 'role'],
      ['member', 'remove'],
      ['member', 'list'],
      ['session', 'link'],
      ['webhook', 'deliveries'],
      ['webhook', 'resend'],
      ['verify-history'],
      ['replay'],
    ]) {
      const help = await run([...args, '--help'], {})
      expect([args, help.status, help.stderr]).toEqual([args, 0, ''])
      expect(help.stdout).toMatch(/Usage|usage/)
    }
    const serving = await run(['serve', '--help'], {})
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'BASE_URL', 'SEALING_KEYS', 'WORKER']) {
      expect(serving.stdout).toContain(name)
    }
    expect((await run(['--version'], {})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('says which variable is wrong, and creates nothing', async () => {
    const { directory, environment } = await newDeployment()
    const wrong = await runProcess(['serve'], { ...environment, PORT: 'eighty', WORKER: 'maybe' })
    expect(wrong.status).toBe(1)
    expect(wrong.stderr).toMatch(/PORT must be a port.+Got "eighty".+Example: PORT=8080/)
    expect(wrong.stderr).toMatch(/WORKER must be in-process, or none/)
    expect(wrong.stderr).not.toMatch(/\n\s+at /)
    expect(existsSync(`${directory}/database`)).toBe(false)
  })
})

describe.each(onPostgres ? [['PostgreSQL'] as const] : [])('%s', () => {
  it('names the command to run if the schema is missing', async () => {
    const { environment } = await newDeployment()
    const refused = await run(['org', 'create', 'Early', '--owner', 'a@b.org'], environment)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^The database schema is at nothing.+Run: npx liquidity migrate\n$/),
    ])
  })
})
