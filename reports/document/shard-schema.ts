/** Reads the record `shard.json`, which each machine of a shared run leaves. */
import reportSchema from '../../schemas/suite/report.schema.json' with { type: 'json' };
import reasonSchema from '../../schemas/suite/reason.schema.json' with { type: 'json' };
import schema from '../../schemas/suite/shard.schema.json' with { type: 'json' };
import { makeSchemaCheck, readChecked, type Checked } from './checked-json.ts';
import type { ShardRecord } from './shards.ts';

/** Members of a shard that have the same form as in a report. */
const { suite, target, run, footprint, exchanges } = reportSchema.properties;

const check = makeSchemaCheck(
  {
    ...schema,
    properties: { ...schema.properties, suite, target, run, footprint, exchanges },
    $defs: { ...reportSchema.$defs, ...schema.$defs, ...reasonSchema.$defs },
  },
  // Only the first mistake is reported: a program wrote the file.
  'first',
);

/** Reads the bytes of a shard.json. Returns the record, or its mistakes. */
export function readShard(bytes: Uint8Array): Checked<ShardRecord> {
  return readChecked<ShardRecord>(bytes, check);
}
