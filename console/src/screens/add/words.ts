/**
 * The 4,096 shortest words of the EFF Large Wordlist, by the Electronic Frontier Foundation, licensed under Creative
 * Commons Attribution 3.0 US. A word has 12 bits.
 */
const text = `
abacus abdomen abide abiding ability ablaze able abreast abridge abroad absence absolve abstain absurd
accent acclaim account acetone aching acid acorn acquire acre acrobat acronym acting action active actress
acts acutely aerosol afar affair affirm affix afford affront aflame afloat afoot afraid aged ageless agency
agenda agent aghast agile agility aging agonize agony agreed aground ahead ahoy aide aids aim ajar alarm
album alfalfa algebra alias alibi aliens alike alive almanac almost aloe aloft aloha alone aloof alright
alto alumni always amaze amber ambush amends amenity amiable amid amigo amino amiss ammonia amnesty among
amount ample amplify amply amuck amulet amused amuser amusing anagram anatomy anchor anchovy ancient android
anemia anemic anew angelic anger angled angler angles angling angrily angular animal animate anime ankle
annex annuity another antacid anthem anthill antics antler antonym antsy anvil anybody anyhow anymore anyone
anytime anyway aorta apache apostle appear appease applaud apple applied apply approve apricot april apron
aptly aqua area arena argue arise armband armed armful armhole arming armless armoire armored armory armrest
army aroma arose around arousal arrange array arrest arrival arrive arson art ascend ascent ashamed ashen
ashes ashy aside askew asleep aspect aspire aspirin astound astride astute atlas atom atop atrium atrophy
attach attain attempt attest attic attire auction audible audibly audio august author autism avatar avenge
avenue average avert aviator avid avoid await awaken award aware awhile awkward awning awoke awry axis
babble babied baboon backed backer backing backlit backlog backup bacon badass badge badland badly badness
baffle bagel bagful baggage bagged baggie bagging baggy bagpipe baked bakery baking balance balcony balmy
bamboo banana banish banjo banked banker banking banner banshee banter barbed barbell barber barcode barge
barista barley barmaid barman barn barrack barrel barrier bash basics basil basin basis basket batboy batch
bath baton bats battery batting battle bauble bazooka blabber bladder blade blah blame blaming blank blast
blazer blazing bleach bleak bleep blemish blend bless blimp bling blinked blinker blinks blip blitz bloated
blob blog blooper blot blouse blubber bluff bluish blunt blurb blurred blurry blurt blush boaster boat
bobbed bobbing bobble bobcat bobsled bobtail body bogged boggle bogus boil bok bolster bolt bonanza bonded
bonding boned boney bonfire bonnet bonsai bonus bony book booted booth bootie booting bootleg boots boozy
borax boring borough boss botany botch both bottle bottom bounce bouncy bovine boxcar boxer boxing boxlike
boxy breach breath breeder breeze breezy brewery brewing briar bribe brick bride bridged brigade bright brim
bring brink brisket briskly bristle brittle broaden broadly broiler broken broker bronco bronze brook broom
brought browse brunch brunt brush brute bubble bubbly bucked bucket buckle budding buddy budget buffalo
buffed buffer buffing buffoon buggy bulb bulge bulgur bulk bulldog bullion bullish bullpen bully bunch
bundle bungee bunion bunkbed bunny bunt busboy bush busily busload bust buzz cabana cabbage cabbie cable
caboose cache cackle cacti cactus caddie caddy cadet cadmium cage cahoots cake calcium caliber calm caloric
calorie calzone cameo camera camper camping campus canal canary cancel candied candle candy cane canine
canned canning cannon cannot canola canon canopy canteen canyon capable capably cape capital capitol capped
capsize capsule caption captive capture caramel carat caravan carbon carded cardiac caress cargo caring
carless carload carnage carol carpool carport carried carrot carry cartel carton cartoon carve carving
carwash cascade case cash casing casino casket catalog catcall catcher catchy caterer catfish catlike catnap
catnip catsup cattail cattle catty catwalk caucus causal cause causing caution cavalry caviar cavity cedar
celery celtic cement census certify chafe chain chair chalice chamber chance change channel chant chaos
chapped chaps chapter charger chariot charity charm charred charter chase chasing chaste chatter chatty
cheddar cheek cheer cheese cheesy chef chemist chemo cherub chess chest chevron chevy chewer chewing chewy
chief chili chill chimp chip chirpy chive choice choking chomp chooser choosy chop chosen chowder chrome
chubby chuck chug chummy chump chunk churn chute cider cinch cinema circle circus citable citadel citizen
citric citrus city civic civil clad claim clammy clamor clamp clang clapped clapper clarify clarity clash
clasp class clatter clause claw clay clean clear cleat cleaver cleft clench clerk clever clicker client
climate cling clinic clip clique cloak clobber clock clone cloning closure clothes cloud clover clubbed
clump clumsy clunky clutch clutter coach coastal coaster coat cobalt cobbler cobweb cocoa coconut cod coerce
coexist coffee coil coke cola cold collage collar collide collie colony colt coma come comfort comfy comic
coming comma commend comment commode common commute company compare compel compile comply compost comrade
concave conceal concept concert conch concise concur condone conduit cone confess confirm conform conical
conjure consent console consult contact contend contest context contort contour control convene convent cope
copied copier copilot coping copious copper copy coral cork corncob cornea corned corner corny coroner
corral correct corrode corsage corset cortex cosmic cosmos cost cottage cotton couch cough could country
county courier cover coveted coyness cozily cozy cradle crafter crafty cramp crane cranial cranium crank
crate crave craving crayon crazed crazily crazy creamed creamer crease create credit creed creme creole
crepe crept crested crevice crewman crib cricket cried crier crimp crimson cringe crinkle crinkly crisped
crisply crispy critter croak crock crook croon crop cross crouch crouton crowbar crowd crown crucial crudely
cruelly cruelty crumb crummy crumpet crunchy crushed crusher crust crux crying cryptic crystal cube cubical
cubicle cuddle cuddly culprit culture cupcake cupid cupped cupping curable curator curdle cure curfew curing
curled curler curling curly curry curse cursive cursor curtain curtly curtsy curve curvy cushy cusp cussed
custard custody customs cut cycle cyclic cycling cyclist cymbal dab dad dagger daily dainty dairy daisy
dance dancing dander dandy danger dangle dares darkish darling darn dart dash data dating dawdler dawn
daybed daycare daylong dayroom daytime dazzler deacon dealer dealing dealt dean debate debit debrief debtor
debug debunk decade decaf decal decay deceit decency decent decibel decimal deck decline decode decoy decree
deduce deduct deed deem deepen deeply deface defame default defeat defense defiant defile define deflate
defog defraud defrost deftly defuse defy degree deity delay delete delouse delta deluge deluxe demise demote
denial denim denote dense density dental dentist denture deny depict deplete deploy deport depose depress
deprive depth deputy derail derby derived deserve desktop despair despise despite destiny detail detest
detract deuce devalue deviant deviate device devious devotee diagram dial diaper diary dice dicing dictate
dig dill dilute dime dimly dimmed dimmer dimness dimple diner dingbat dinghy dingo dingy dining dinner
diocese dioxide diploma dipped dipper dipping disarm disband discard discern discuss disdain dish disjoin
disk dislike dismay dismiss disobey disown display dispose dispute disrupt distant distill distort ditch
ditto ditzy divided diving dizzy doable docile dock dodge dodgy doily doing dole dollar dollop dolly dolphin
domain donated donator donor donut doodle doorman doormat doorway doozy dork dorsal dosage dose dotted
douche dove down dowry doze drab drained drainer drank drapery drastic draw dreaded dreamt dreamy dreary
drench dress drew dribble dried drier drift driller drippy driven driver driving drizzle drizzly drone drool
droop dropbox droplet dropout dropper drove drown drudge drum dry dubbed duchess ducking ducky duct dude
duffel dugout duh duke duller duly dumping duo dupe duplex durable durably duress during dusk dust dutiful
duty duvet dwarf dweeb dwelled dweller dwindle dynamic dynasty each eagle earache eardrum earflap earful
earlobe early earmark earmuff earring earshot earthen earthly earthy earwig easeful easel easiest easily
easing easter eatable eaten eatery eating eats ebay ebony ebook ecard echo eclair eclipse ecology economy
edge edging edgy edition editor eel effects effort egging eggnog egotism either eject elastic elated elbow
elderly eldest elevate eleven elf elite elitism elixir elk ellipse elm elope elude elusive elves email
embargo embark embassy ember emblaze emblem embody emboss emcee emerald emit emote emotion empathy emperor
empower emptier empty emu enable enamel enclose encode encore encrust encrypt ended ending endless endnote
endorse energy engaged engine engorge engross engulf enhance enjoyer enrage enrich enroll enslave ensnare
ensure entail entire entitle entity entomb entrap entree entrust entwine envious envoy envy enzyme epic
episode equal equate equator equinox equity erased eraser erasure errand errant erratic error erupt eskimo
esquire essay essence estate etching eternal ethanol ether ethics evacuee evade evasion evasive even evict
evident evil evoke evolve exact exalted example excess exclaim exclude excuse exert exes exhale exhaust
exhume exile exit exodus expand expanse expel expend expert expire explain explode exploit explore expose
express extent extinct extras extrude fable fabric faceted facial facing faction factoid factor factual
faculty fade fading failing falcon fall false falsify fame family famine fanatic fancied fancy fanfare fang
fanning fantasy fascism faster fasting faucet favored fax feast federal fedora feeble feed feel feisty
feline femur fence fencing fender ferment ferret ferris ferry fervor fester festive fetal fetch fever fiber
fiction fiddle fidgety fifteen fifth fifty figment figure filing filled filler filling film filter filth
finale finally finance finch finer finicky finite finless finlike fit five flaccid flagman flail flakily
flaky flame flanked flap flaring flashy flask flatbed flatly flatten flattop fled fleshed fleshy flick flier
flight flinch fling flint flip flirt float flock flop floral florist floss flyable flyaway flyer flying
flyover foam foe fog foil folic folk follow fondly fondue font food fool footage footer footing footman
footpad footsie fossil foster founder fox foyer fragile frail frame framing frantic frayed fraying frays
freebee freebie freedom freeing freely freeway freight french frenzy fresh fretful fretted friday fridge
fried friend frill fringe frisbee frisk fritter frolic from front frosted frosty froth frown frozen fruit
frying gab gaffe gag gaining gains gala gallery galley gallon gallows galore game gaming gamma gander gangly
gangway gap garage garbage garden gargle garland garlic garment garnet garnish garter gas gating gauging
gauze gave gawk gazing gear gecko geek geiger gem gender generic genre gentile gently gents geology gerbil
gestate gesture getaway getting getup giant giblet giddily giddy gift giggle giggly gigolo gilled gills
gimmick girdle given giver giving gizmo gizzard glacial glacier glade gladly glamour glance glare glaring
glass glazing gleeful glider gliding glimmer glimpse glisten glitch glitter glitzy gloater gloomy glorify
glory gloss glove glowing glucose glue gluten glutton gnarly gnat goal goes goggles going golf goliath gonad
gondola gone gong good gooey goofy google goon gopher gore gorged gory gosling gossip gothic gotten gout
gown grab graded grader grading grafted grain grandly grandma grandpa granite granny granola grant grape
graph grapple grasp grass gratify grating gravel graves gravity gravy gray grazing greedy green greeter grew
grid grief grill grimace grime grimy grinch grip gristle grit groggy groin groom groove groovy grope ground
grouped grout grove grower growing growl grub grudge gruffly grumble grumbly grunge grunt guide guiding
guise gulf gully gulp gumball gumdrop gumming gummy gurgle guru gush gusto gusty gutless guts gutter guy
guzzler habitat hacked hacker hacking hacksaw had haggler haiku half halogen halt halved halves hamlet
hammock hamper hamster handbag handed handful handgun handled handler handoff handsaw handset hangout hangup
hankie hanky happier happily happy harbor hardhat hardly hardy harmful harmony harness harpist harsh harvest
hash hassle haste hastily hasty hatbox hatchet hate hatless hatred haunt haven hazard hazily hazing hazy
headed header heading headset headway heap heat heave heavily heaving hedge hedging hefty helium helmet
helper helpful helping hemlock hence henna herald herbal herbs hermit heroics heroism herring herself hertz
hexagon hubcap huddle huff hug hula hulk hull human humble humbly humid humming hummus humped humvee hunger
hungry hunk hunter hunting hurdle hurled hurler hurling hurray hurried hurry hurt husband hush husked hut
hybrid hydrant hyphen ice iciness icing icky icon icy ideally idiocy idiom idly igloo ignore iguana image
imaging imitate immerse impale impart impeach impish implant implode imply impose impound imprint improve
impulse impure iodine iodize ion ipad iphone ipod irate irk iron islamic isotope issue issuing italics item
itunes ivory ivy jab jackal jacket jackpot jailer jam janitor january jargon jarring jasmine jaunt java
jawed jawless jawline jaws jaybird jazz jeep jellied jelly jersey jester jet jiffy jigsaw jimmy jingle jinx
jitters jittery job jockey jogger jogging john joining jolly jolt jot jovial joyous joyride judge judo
juggle jugular juice juicy jujitsu jukebox july jumble jumbo jump june junior juniper junkie junkman jurist
juror jury justice justify justly kabob karaoke karate karma kebab keenly keep keg kelp kennel kept kettle
kick kiln kilt kimono kindle kindly kindred kinetic kinfolk king kinship kinsman kisser kissing kitchen kite
kitten kitty kiwi kleenex knee knelt knoll koala kooky kosher krypton kudos kung labored laborer ladder
ladies ladle ladybug lagged lagging lagoon lair lake lance landed landing lanky lantern lapdog lapel lapped
lapping laptop lard large lark lash lasso last latch late lather latrine latter launch launder laundry
laurel lavish lazily lazy left legacy legal legend legged legible legibly lego legroom legume legwork lemon
lend length lens lent leotard lesser letdown letter lettuce level levers liable liberty library licking lid
life lifter lifting liftoff likely liking lilac lilly lily limb limeade limes limit limping line lingo
lining linked linseed lint lion lip liquefy liqueur liquid lisp list litmus litter little livable lived
lively liver lividly living lizard lucid luckily lugged lullaby lumber lumping lumpish lunacy lunar lung
lurch lure lurk lushly luster lustily lusty luxury lying lyrics macaw mace machine magenta maggot magical
magma magnify maimed majesty maker making malt mama mammal mammary manager manatee mandate manger mangle
mango mangy manhole manhood manhunt manila mankind manlike manly manmade manned mannish manor mantis mantra
manual many map marbled marbles march mardi margin marina marine marital marlin maroon married marrow marry
marshy marxism mascot mashed mashing masses massive mastiff matador matcher math mating matrix matron matted
matter mauve maximum maybe mayday moaner moaning mobile mobster mocha mocker mockup modify modular module
moisten molar mold mollusk mom monday mongrel monitor monsoon monthly moocher moody mooing mooned moonlit
mop morale morally morse mortify mosaic mossy most motion motive motor motto mounted mourner mouse mousy
mouth movable move movie moving mower mowing much muck mud mug mulch mule mulled mullets mumble mumbo
mummify mummy mumps mundane muppet mural murky museum mushily mushy music musket musky mustang mustard
muster musty mutable mutate mute mutiny mutt mutual muzzle myself myspace mystify myth nacho nag nail name
naming nanny nape napkin napped napping nappy narrow nastily native natural nature navy nearby nearest
nearly neatly nebula nectar negate nemeses nemesis neon nephew nerd nervous nervy nest net neuron neuter
neutron never next nibble niece nifty nimble nimbly ninja ninth nuclear nuclei nucleus nugget nullify number
numbing numbly numeral numeric nursery nursing nurture nutcase nutlike nutmeg nutty nuzzle nylon oaf oak
oasis oat object obliged oblong oboe obscure obtain obtuse obvious occupy ocean ocelot octagon octane
october octopus ogle oil oink okay old olive omega omen ominous omit onboard ongoing onion online only onset
onshore onstage onto onward onyx oops ooze oozy opacity opal open operate opium opossum oppose opt osmosis
other otter ouch ought ounce outage outback outbid outcast outcome outer outfit outgrow outing outlast
outlet outline outlook outmost outpost outpour output outrage outrank outsell outward outwit oval ovary oven
overact overall overbid overdue overfed overlap overlay overpay overrun overtly overuse owl oxford oxidant
oxidize oxygen oyster ozone paced pacific pacify padded padding paddle padlock pagan pager paging pajamas
palace palm paltry pampers panama pancake panda pang panic panning panther pantry pants papaya paper paprika
papyrus parade paradox parcel parched pardon parish parka parking parkway parlor parole parrot parsley
parsnip partake parted parting partly partner party passage passing passion passive pasta pasted pastel
pastime pastor pasture pasty patchy path patient patio patriot patrol pauper paver paving pawing payable
payback payday payee payer paying payment payroll pebble pebbly pecan pectin pelican pellet pelt pelvis
penalty pencil pendant pending pennant penny penpal pension pep percent perch perfume perish perjury perky
perm pesky peso pester petal petite petri petted petty petunia phantom phobia phoenix phoney phonics phony
photo phrase placard placate plank planner plant plasma plaster plastic plated plating platter player
playful playing playoff playpen playset plaza pleat pledge plenty pliable plod plop plot plow ploy pluck
plug plunder plural plus plywood poach pod poem poet pogo pointed pointer pointy poise poison poker poking
polar police policy polio polish polka polo polygon polymer poncho pond pony popcorn pope poplar popper
poppy popular pork porous portal portion portly poser posh posing possum postage postal postbox posted
poster posting posture postwar pouch pounce pound pouring pout powdery power powwow pox prance pranker
prayer praying preachy precise precook precut predict preface prefix pregame prelaw prelude premium prepaid
prepay preplan preppy preset preshow presoak press presume preteen pretext pretty pretzel prevail prevent
preview prewar pried primal primary primate primer primp print prior prism prison prissy privacy private
prize probe probing problem process prodigy produce product profane profile progeny program prone prong
pronto proofs propose props prorate proton proud proved proven proving provoke prowess prowler proxy prozac
prude prune pruning pry psychic public pucker pueblo pug pull pulp pulsate pulse puma pumice pummel punch
pungent punk pupil puppet puppy purely purge purging purify purist puritan purity purple purr purse pursuit
pusher pushing pushpin pushup pushy putdown putt puzzle pyramid python quack quail quake quaking qualify
quality qualm quantum quarrel quarry quartet quench query quicken quickly quiet quill quilt quintet quirk
quit quiver quote rabid race racing racism rack racoon radar radial radio radish raffle raft rage ragged
raging ragweed raider railcar railing railway raisin rake raking rally ramble ramp ramrod ranch random
ranged ranger ranging ranked ranking ransack ranting rants rare rarity rascal rash rasping ravage raven
ravine raving ravioli reach reactor ream reapply reason reawake rebate rebel rebirth reboot reborn rebound
rebuff rebuild rebuilt recall recant recast recede recent recess recital recite reclaim recluse recoil
recolor recopy record recount recoup rectal rectify reenact reenter reentry referee refill refined reflex
reflux refocus refold refract refrain refresh refried refund refusal refuse refute regain regalia regally
reggae regime region regress regroup regular rehab reheat rehire reissue rejoice rejoin relapse related
relax relay relearn release reliant relic relieve relight relish relive reload relock rely remake remark
remarry rematch remedy remix remnant remold remorse remote removal removed remover rename renewal renewed
rental rented renter reoccur reopen reorder repaint repair repave repeal repent replace replay replica reply
repose repost reprint reprise reps reptile request require reroute rerun resale rescuer reseal resend resent
reset reshape reshoot residue resize resort respect result resume retail retake rethink retinal retired
retiree retold retool retouch retrace retract retrain retread retreat retrial retry return retying retype
reunion reunite reuse reveal reveler revenge revenue reverb revered reverse revert revise revisit revival
reviver revoke revolt reward rewash rewind rewire reword rework rewrap rewrite rhyme ribbon ribcage rice
riches richly rickety ricotta ridden ride riding rifling rift rigging rigid rigor rimless rimmed rind rink
rinse rinsing riot ripcord ripping ripple riptide rise rising risk risotto ritalin ritzy rival riveter
roamer roaming roast robbing robe robin robust rocker rocket rocking rocky rogue roman romp rope roping
roster rosy rotten rotting rotunda roundup routine routing rover roving royal rubbed rubber rubbing rubble
rubdown ruby ruckus rudder rug ruined rule rumble rummage rumor rundown runner running runny runt runway
rupture rural ruse rush rust rut sabbath sacred sadden saddled sadly sadness safari safely saffron saga sage
sagging saggy said saint sake salad salami salary saline salon saloon salsa salt salute salvage same sample
sandal sandbag sandbar sandbox sanded sanding sandlot sandpit sandy sank santa sapling sappy sarcasm sardine
sash sassy satchel satin satisfy saucy sauna savage savanna saved savings savior savor say scabbed scabby
scalded scale scaling scallop scam scandal scanner scant scarce scared scarf scarily scary scenic scheme
scholar science scion scoff scone scoop scooter scope scorch scored scorer scoring scorn scotch scoured
scouts scrap scratch scrawny screen scribe script scroll scrooge scruffy scrunch scuba scuff scurvy scuttle
second secrecy secret sector secular sedan sedate seduce segment seismic seizing seldom self seltzer seminar
senate senator send senior sepia septic septum sequel series sermon serpent serve service serving sesame
setback setting settle setup seventh seventy shabby shack shaded shadily shading shadow shady shaft shakily
shaking shaky shale shallot shallow shame shampoo shank shanty shape shaping share sharper sharpie sharply
shawl sheath shed sheep sheet shelf shell shelter shelve sherry shield shifter shifty shimmer shimmy shindig
shine shingle shining shiny ship shirt shock shone shopper shore shorten shorter shortly shorts shorty shout
shove showbiz shower showing showman shown showoff showy shrank shriek shrill shrimp shrine shrink shrivel
shrubs shrug shrunk shudder shuffle shun shush shut shy siamese sibling siding sierra siesta sift sighing
silent silica silicon silk silly silo silt silver simile simple simply sincere singer singing single sinless
sinner sinuous sip siren sister sitcom sitter sitting sixfold sixteen sixth sixties sizable sizably size
sizing sizzle skater skating skeptic sketch skewed skewer skid skied skier skies skiing skilled skillet
skimmed skimmer skinny skipper skirt skittle skyline skype skyward slab slacked slacker slacks slain slam
slander slang slashed slate slather slaw sled sleek sleep sleet sleeve slept sliced slicer slicing slick
slider sliding slimy slinky slip slit sliver slogan sloped sloping sloppy slot slouchy sludge slug slum
slurp slush sly small smartly smasher smashup smell smile smirk smite smith smitten smock smog smoked
smoking smoky smolder smooth smother smudge smudgy smugly snack snagged snaking snap snare snarl snazzy
sneak sneer sneeze snide sniff snitch snooze snore snort snout snowy snub snuff snugly speak specks speech
speed spent spew sphere sphinx spider spied spiffy spill spilt spinal spiny spiral spleen splice spoils
spoken sponge spongy spoof spooky spool spoon spore sports sporty spotty spouse spout sprain sprang sprawl
spray spree sprig spring sprint sprite sprout spruce sprung spry spud spur squad squall squash squeak squid
squint squire squirt stable stack staff stage stamp stand stank staple starch stark starry stash state
static statue status stays steam steed steep stem stench step stereo stew stick stifle stilt stingy stinky
stir stitch stock stoic stoke stole stomp stony stood stooge stool stoop storm stout stove straw stray
streak stream street strep stress strewn strict stride strife strike strive strobe strode struck strum
strung strut stucco stuck studio study stuffy stump stung stunt stupor sturdy stylus suave sublet subpar
subtly suburb subway such sudden sudoku suds suffix sugar suing suitor sulfur sulk sullen sultry supper
supply surely surfer survey sushi swab swan swarm sway swear sweat sweep swell swept swerve swipe swirl
switch swivel swoop swoosh swore sworn swung syrup system tabby tables tablet tackle tacky taco tag take
taking talcum tall talon tamale tamer tamper tank tanned taps target tarmac tarot tartar tartly task tassel
taste tasty tattle tattoo taunt tavern thank that thaw thee theft theme these thesis thigh thing think
thinly thirty thong thorn those thrash thread thrift thrill thrive throat throng thud thumb thus tiara tibia
tidal tidbit tidy tiger tile tiling till tilt timid timing tingle tingly tinker tinsel tint tiny tipoff
tipped tipper tiptop tiring tissue trace track trade train trance traps trash travel tray treat treble tree
tremor trench trend triage trial tricky tried trifle trio tripod trophy trough trout trowel truce truck
trump trunks truth try tubby tug tulip tumble tummy turban turf turkey turret turtle tusk tutor tutu tux
tweak tweed tweet twelve twenty twerp twice twig twine twins twirl twisty twitch tycoon tying tyke udder
ultra umpire unable unbend unbent unclad uncle unclip unclog uncork uncut undead undone unease uneasy uneven
unfair unfold unglue unholy unhook unify union unison unit unkind unless unlit unmade unpack unpaid unplug
unread unreal unrest unripe unroll unruly unsafe unsaid unseen unsent unsnap unsold unsure untidy untie
until untold untrue unused unwary unwed unwell unwind unworn unzip upbeat update upheld uphill uphold upload
upon upper uproar uproot upside uptake uptown upward upwind urban urchin urgent urging usable usage used
user usher usual utmost utopia utter vacant vacate valid valium valley value vanish vanity varied vastly
veal vegan veggie velcro velvet vendor venue venus verify verse versus very vessel vest veto viable vibes
vice video viewer violet violin viper viral virus visa vision visor vista vixen voice void volley voter
voting vowed vowel voyage wad wafer waffle waged wager wages waggle wagon wake waking walk walnut walrus
waltz wand wanted wasabi washed washer wasp watch water waving wavy whacky wham wharf wheat whiff whinny
whiny whole whoops why wick widely widen widget widow width wife wifi wilder wildly willed willow wilt wimp
wince wind wing winner winter wipe wired wiring wiry wisdom wise wish wispy wizard wobble wobbly wok wolf
womb woof wooing wool woozy word work worry worst wound woven wow wrath wreath wrench wrist xbox xerox yahoo
yam yard yarn yeah yearly yeast yelp yen yield yin yippee yodel yoga yogurt yonder yoyo yummy zap zebra zen
zero zesty zippy zips zit zodiac zombie zone zoning zoom
`;

export const words: readonly string[] = text.trim().split(/\s+/);
