#!/usr/bin/env node
import { runTypeScript } from './with-node.js'

await runTypeScript('../apps/server/src/cli/start.ts')
