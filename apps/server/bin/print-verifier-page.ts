import { writeFileSync } from 'node:fs'
import { assembleVerifierPage } from '../src/http/routes/assemble-verifier-page.ts'

const file = new URL('../verifier/verify.html', import.meta.url)
writeFileSync(file, assembleVerifierPage())
process.stdout.write('Wrote apps/server/verifier/verify.html.\n')
