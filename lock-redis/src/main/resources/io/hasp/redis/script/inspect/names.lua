-- Lists the names of some locks on this server. Without keys: it is sent to each master in turn.
-- ARGV  1 pattern of the keys  2 cursor  3 name of the server's data and  4 its clock in µs, both at the first page, or empty
--       5 bytes before the name in a key
-- Reply name of the data|next cursor, 0 behind the last page|clock at the first page; then names as they are in keys, with { before
--       each of them, and } behind one of which only the queue was met
-- MOVED_ON if another server answers by now: a cursor means nothing to it
local pattern, cursor, known, began, before = unpack(ARGV)
-- include master.lua
-- The first number of names that end a page, the longest page, and about how many keys of others one call passes.
local ENOUGH, MOST, PASSED = 50, 100, 2000
local FEW, MANY = 20, 320

local wrong, data = no_master()
if wrong then
  return wrong
end
if known ~= '' and data ~= known then
  return 'MOVED_ON'
end
if began == '' then
  local time = redis.call('TIME')
  began = string.format('%.0f', time[1] * 1000000 + time[2])
end

local names, met, step, passed = {}, {}, FEW, 0
repeat
  local page = redis.pcall('SCAN', cursor, 'MATCH', pattern, 'COUNT', step)
  if page.err then
    return redis.error_reply(page.err .. ' (SCAN)')
  end
  local found, count = {}, 0
  for _, key in ipairs(page[2]) do
    local name, part = string.match(string.sub(key, before + 1), '^([^{}]+)}(.*)$')
    if name and (part == '' or part == ':q') then
      if not met[name] and not found[name] then
        count = count + 1
      end
      found[name] = (part == '' or found[name] == '') and '' or '}'
    end
  end
  -- What is too much now comes with the next page.
  if #names > 0 and #names + count > MOST then
    break
  end
  for name, part in pairs(found) do
    if not met[name] then
      table.insert(names, name)
    end
    met[name] = (part == '' or met[name] == '') and '' or '}'
  end
  cursor, passed = page[1], passed + step
  step = #page[2] == 0 and math.min(2 * step, MANY) or FEW
until cursor == '0' or #names >= ENOUGH or passed >= PASSED
for i, name in ipairs(names) do
  names[i] = name .. met[name]
end
table.insert(names, 1, data .. '|' .. cursor .. '|' .. began)
return table.concat(names, '{')
